import { runService } from '@lectern/service-kit';
import { readConfig } from '#config';
import { startGateway } from '#server';

await runService(async () => startGateway(readConfig(process.env)));
