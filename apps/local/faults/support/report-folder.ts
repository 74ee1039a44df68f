import { join } from 'node:path';
import { REPOSITORY } from '#home-folder';

/** The folder for the report and the logs. */
export const REPORT_FOLDER = join(REPOSITORY, 'node_modules/.cache/lectern/faults-report');

/** One JSON line for each measurement. */
export const MEASUREMENTS = join(REPORT_FOLDER, 'measurements.jsonl');

/** The folder for the logs of a system. */
export const logFolder = (system: string): string => join(REPORT_FOLDER, 'logs', system);
