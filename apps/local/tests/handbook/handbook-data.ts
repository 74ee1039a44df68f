import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { UploadedFile } from '../support/api.ts';

const FOLDER = fileURLToPath(new URL('./files', import.meta.url));

/** The handbook of an invented company, written for these tests. */
export const HANDBOOK: readonly UploadedFile[] = readdirSync(FOLDER).map((name) => ({
  name,
  bytes: new Uint8Array(readFileSync(join(FOLDER, name))),
}));

/** Files that no parser can read. */
export const BROKEN: readonly UploadedFile[] = [
  { name: 'not-a-zip.docx', bytes: 'PK\u0003\u0004 and then nothing that a ZIP archive contains' },
  { name: 'cut-off.pdf', bytes: '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type' },
  { name: 'not-a-book.xlsx', bytes: new Uint8Array([0x50, 0x4b, 0x05, 0x06, 0, 0, 0, 0]) },
];
