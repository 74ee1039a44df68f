import { runService } from '@lectern/service-kit';
import { readConfig } from './config.ts';
import { startConnector } from './server.ts';

await runService(async () => startConnector(readConfig(process.env)));
