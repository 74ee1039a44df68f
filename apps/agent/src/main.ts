import { runService } from '@lectern/service-kit';
import { readConfig } from '#config';
import { startAgent } from '#server';

await runService(async () => startAgent(readConfig(process.env)));
