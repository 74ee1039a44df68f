import { mkdirSync, rmSync } from 'node:fs';
import { REPORT_FOLDER } from './report-folder.ts';

/** Jest's globalSetup: clears the report. */
export default function beginReport(): void {
  rmSync(REPORT_FOLDER, { recursive: true, force: true });
  mkdirSync(REPORT_FOLDER, { recursive: true });
}
