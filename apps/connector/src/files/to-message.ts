import { basename } from 'node:path/posix';
import type { SourceFile } from '@lectern/contracts';
import type { File } from '#gen/prisma/client';

/** A file's row as the contract shows it. */
export function toFileMessage(row: File): SourceFile {
  return {
    id: row.id,
    name: basename(row.path),
    path: row.path,
    sizeBytes: Number(row.sizeBytes),
    mimeType: row.mimeType,
    checksum: row.checksum,
    documentId: row.documentId ?? '',
    status: row.status,
    updatedAt: row.updatedAt,
  };
}
