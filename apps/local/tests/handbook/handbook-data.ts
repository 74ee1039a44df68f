import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { UploadedFile } from '../support/api.ts';

const BESIDE = fileURLToPath(new URL('../../../../../shared/data', import.meta.url));

/** The folder of sample data, at LECTERN_DATA_DIR or beside the checkout. It is not part of the repository. */
export const DATA_DIR = resolve(process.env.LECTERN_DATA_DIR || BESIDE);

/** Whether the sample files are on this machine. */
export const HAS_DATA = ['handbook', 'office'].every((folder) => existsSync(join(DATA_DIR, 'files', folder)));

/** The 16 files of the handbook or the 40 office files. */
export function filesOf(folder: 'handbook' | 'office'): UploadedFile[] {
  const path = join(DATA_DIR, 'files', folder);
  return readdirSync(path).map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(path, name))) }));
}
