import { join } from 'node:path';
import { REPOSITORY } from '#home-folder';

/** Where the suite leaves its report, and the logs of all parts. */
export const REPORT_FOLDER = join(REPOSITORY, 'node_modules/.cache/lectern/faults-report');

/** One JSON line for each figure. */
export const FIGURES = join(REPORT_FOLDER, 'figures.jsonl');

/** The logs of the parts of one system, by its name. */
export const logFolder = (system: string): string => join(REPORT_FOLDER, 'logs', system);
