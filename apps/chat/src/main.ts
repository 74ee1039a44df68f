import { runService } from '@lectern/service-kit';
import { readConfig } from '#config';
import { startChat } from '#server';

await runService(async () => startChat(readConfig(process.env)));
