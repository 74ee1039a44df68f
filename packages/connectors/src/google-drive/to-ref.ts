import type { DriveFile } from '#google-drive/drive-file';
import { exportFormats } from '#google-drive/export-formats';
import type { SourceRef } from '#source';

/**
 * Converts a file to an item. `version` changes with every visible change, including those that
 * keep the modification time: a new name, a move, another owner.
 */
export function refOfFile(file: DriveFile): SourceRef {
  const person = file.owners?.[0] ?? file.lastModifyingUser;
  const version = file.version ?? file.md5Checksum ?? file.modifiedTime;
  const exported = exportFormats(file.mimeType)?.[0];
  return {
    id: file.id,
    path: file.name,
    title: file.name,
    version: version === undefined ? undefined : String(version),
    url: file.webViewLink,
    author: person?.displayName ?? person?.emailAddress,
    sizeBytes: file.size === undefined ? undefined : Number(file.size),
    mimeType: exported?.mimeType ?? file.mimeType,
    updatedAt: file.modifiedTime,
  };
}
