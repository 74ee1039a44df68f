import { runService } from '@lectern/service-kit';
import { readConfig } from '#config';
import { startCollection } from '#server';

await runService(() => startCollection(readConfig(process.env)));
