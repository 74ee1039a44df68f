import type { DriveFile } from '#google-drive/drive-file';

const GOOGLE_APPS = 'application/vnd.google-apps.';
export const FOLDER = `${GOOGLE_APPS}folder`;

/** An export format of a Google file. */
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
 * The export formats of each Google type, best first. A later one is used if Drive does not offer an
 * earlier one, or if that exceeds the 10 MB limit of exports: text is the smallest.
 * https://developers.google.com/workspace/drive/api/guides/ref-export-formats
 */
const FORMATS: Readonly<Record<string, readonly ExportFormat[]>> = {
  [`${GOOGLE_APPS}document`]: [markdown, text, docx],
  // CSV contains only the first sheet.
  [`${GOOGLE_APPS}spreadsheet`]: [xlsx, { mimeType: 'text/csv', extension: 'csv' }],
  [`${GOOGLE_APPS}presentation`]: [pptx, pdf, text],
  [`${GOOGLE_APPS}drawing`]: [pdf],
  [`${GOOGLE_APPS}script`]: [{ mimeType: 'application/vnd.google-apps.script+json', extension: 'json' }],
};

/** Returns the export formats of a Google file; undefined for a binary file. */
export function exportFormats(mimeType: string): readonly ExportFormat[] | undefined {
  return mimeType.startsWith(GOOGLE_APPS) ? (FORMATS[mimeType] ?? []) : undefined;
}

/** Returns false for folders, shortcuts (their targets are listed), forms, sites and maps. */
export function isReadable(file: DriveFile): boolean {
  return exportFormats(file.mimeType)?.length !== 0;
}
