import type { ConnectorCall } from '#connector';
import type { DriveApi } from '#google-drive/drive-api';
import { exportFormats } from '#google-drive/export-formats';
import { ExportTooLarge } from '#google-drive/read-error';
import { refOfFile } from '#google-drive/to-ref';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';

const isNotOffered = (error: unknown) => error instanceof SourceError && error.kind === 'invalid';

/** Exports a Google file in the first format that works. */
async function readExport(api: DriveApi, call: ConnectorCall, ref: SourceRef, googleType: string) {
  let failure: unknown;
  for (const { mimeType, extension } of exportFormats(googleType) ?? []) {
    try {
      return { body: await api.exported(call, ref, mimeType), extension };
    } catch (error) {
      if (!(error instanceof ExportTooLarge) && !isNotOffered(error)) throw error;
      // "Too large" is a more useful error than "not offered".
      if (!(failure instanceof ExportTooLarge)) failure = error;
    }
  }
  throw failure ?? new SourceError('invalid', `Google Drive cannot export ${ref.path}.`);
}

/**
 * Reads the current content of a file. The version is read first, so that the next sync detects a
 * change in between.
 */
export async function readContent(
  api: DriveApi,
  call: ConnectorCall,
  id: string,
  maxItemBytes: number,
): Promise<SourceContent> {
  const file = await api.file(call, id);
  const ref = refOfFile(file);
  if (file.trashed === true) throw new SourceError('gone', `${ref.path} is in the trash.`);
  const metadata = file.createdTime === undefined ? {} : { createdAt: file.createdTime };
  if (exportFormats(file.mimeType) === undefined) {
    if (ref.sizeBytes !== undefined && ref.sizeBytes > maxItemBytes) {
      throw new SourceError('too_large', `${ref.path} is larger than the limit of ${maxItemBytes} bytes.`);
    }
    return { body: await api.content(call, ref), version: ref.version, fileName: ref.path, metadata };
  }
  const { body, extension } = await readExport(api, call, ref, file.mimeType);
  return { body, version: ref.version, fileName: `${ref.path}.${extension}`, metadata };
}
