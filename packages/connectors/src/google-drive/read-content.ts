import type { ConnectorCall } from '../connector.ts';
import type { SourceContent, SourceRef } from '../source.ts';
import { SourceError } from '../source-error.ts';
import type { DriveApi } from './drive-api.ts';
import { exportFormats } from './export-formats.ts';
import { ExportTooLarge } from './read-error.ts';
import { refOfFile } from './to-ref.ts';

const isNotOffered = (error: unknown) => error instanceof SourceError && error.kind === 'invalid';

/** The content of a Google file in the first format that Drive makes of it. */
async function readExport(api: DriveApi, call: ConnectorCall, ref: SourceRef, googleType: string) {
  let failure: unknown;
  for (const { mimeType, extension } of exportFormats(googleType) ?? []) {
    try {
      return { body: await api.exported(call, ref, mimeType), extension };
    } catch (error) {
      if (!(error instanceof ExportTooLarge) && !isNotOffered(error)) throw error;
      // That a format is too large says more than that the next one is not offered.
      if (!(failure instanceof ExportTooLarge)) failure = error;
    }
  }
  throw failure ?? new SourceError('invalid', `Google Drive has nothing to read in ${ref.path}.`);
}

/** A file's content as it is now. Its version is read first, so that a change in between is seen as one the next time. */
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
      throw new SourceError('too_large', `${ref.path} is larger than ${maxItemBytes} bytes, the most that is read.`);
    }
    return { body: await api.content(call, ref), version: ref.version, fileName: ref.path, metadata };
  }
  const { body, extension } = await readExport(api, call, ref, file.mimeType);
  return { body, version: ref.version, fileName: `${ref.path}.${extension}`, metadata };
}
