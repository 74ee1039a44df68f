import type { SourceFile } from '@lectern/contracts';
import { time } from '#http/time';

/** A file that was just stored. */
export function uploadedFile(file: SourceFile) {
  return {
    id: file.id,
    name: file.name,
    path: file.path,
    size: file.sizeBytes,
    mimeType: file.mimeType,
    checksum: file.checksum,
    documentId: file.documentId,
    status: file.status,
  };
}

/** A source file. */
export function sourceFile(file: SourceFile) {
  return { ...uploadedFile(file), updatedAt: time(file.updatedAt) };
}
