import type { SourceFile, UploadFilesRequest } from '@lectern/contracts';
import type { UploadPart } from '#http/body/upload-part';
import { time } from '#operations/convert';

/** An uploaded file. */
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

/** Converts a part of an upload to a message for the connector service. */
export function uploadMessage(part: UploadPart): UploadFilesRequest {
  switch (part.kind) {
    case 'file':
      return { part: { $case: 'file', value: { path: part.path, mimeType: part.mimeType } } };
    case 'bytes':
      return { part: { $case: 'chunk', value: part.bytes } };
    case 'metadata':
      return { part: { $case: 'metadata', value: { ...part.metadata } } };
  }
}
