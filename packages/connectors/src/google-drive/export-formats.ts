import type { DriveFile } from './drive-file.ts';

const GOOGLE_APPS = 'application/vnd.google-apps.';
export const FOLDER = `${GOOGLE_APPS}folder`;

/** A format that a Google file can be exported in. */
export interface ExportFormat {
  readonly mimeType: string;
  readonly extension: string;
}

const markdown = { mimeType: 'text/markdown', extension: 'md' };
const text = { mimeType: 'text/plain', extension: 'txt' };
const pdf = { mimeType: 'application/pdf', extension: 'pdf' };
const docx = {
  mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  extension: 'docx',
};
const xlsx = { mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', extension: 'xlsx' };
const pptx = {
  mimeType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  extension: 'pptx',
};

/**
 * What each Google format is read as, the best first. A later one is taken where Drive does not offer an earlier one, or where that
 * would weigh more than the 10 MB of an export: text weighs least, pictures are left out of it.
 * https://developers.google.com/workspace/drive/api/guides/ref-export-formats
 */
const FORMATS: Readonly<Record<string, readonly ExportFormat[]>> = {
  [`${GOOGLE_APPS}document`]: [markdown, text, docx],
  // CSV is the first sheet alone.
  [`${GOOGLE_APPS}spreadsheet`]: [xlsx, { mimeType: 'text/csv', extension: 'csv' }],
  [`${GOOGLE_APPS}presentation`]: [pptx, pdf, text],
  [`${GOOGLE_APPS}drawing`]: [pdf],
  [`${GOOGLE_APPS}script`]: [{ mimeType: 'application/vnd.google-apps.script+json', extension: 'json' }],
};

/** The formats of a Google file; undefined for a file that has bytes of its own. */
export function exportFormats(mimeType: string): readonly ExportFormat[] | undefined {
  return mimeType.startsWith(GOOGLE_APPS) ? (FORMATS[mimeType] ?? []) : undefined;
}

/** True for what can be read: not folders, shortcuts (their target is listed itself), forms, sites or maps. */
export function isReadable(file: DriveFile): boolean {
  return exportFormats(file.mimeType)?.length !== 0;
}
