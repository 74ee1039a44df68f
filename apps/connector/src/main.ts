import { runService } from '@lectern/service-kit';
import { readConfig } from '#config';
import { startConnector } from '#server';

await runService(async () => startConnector(readConfig(process.env)));
