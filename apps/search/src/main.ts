import { runService } from '@lectern/service-kit';
import { readConfig } from '#config';
import { startSearch } from '#server';

await runService(async () => startSearch(readConfig(process.env)));
