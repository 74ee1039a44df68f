import type { SourceFile } from '@lectern/contracts';
import { z } from 'zod';
import { timestamp } from '#http/answer-schema';
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

const uploaded = {
  id: z.string(),
  name: z.string(),
  path: z.string(),
  size: z.int().meta({ description: 'Bytes' }),
  mimeType: z.string(),
  checksum: z.string(),
  documentId: z.string().optional(),
  status: z.string(),
};
const EXAMPLE = {
  id: 'file_01h455vb4pex5vsknk084sn02q',
  name: 'leave.pdf',
  path: 'hr/leave.pdf',
  size: 9_000,
  mimeType: 'application/pdf',
  checksum: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  documentId: 'doc_01h455vb4pex5vsknk084sn02q',
  status: 'pending',
};

export const sourceFileSchema = z.object({ ...uploaded, updatedAt: timestamp }).meta({
  id: 'SourceFile',
  description: 'A file that a connector holds',
  examples: [{ ...EXAMPLE, updatedAt: '2026-11-21T10:00:00.000Z' }],
});

export const uploadSchema = z
  .object({
    files: z.array(z.object(uploaded)),
    jobId: z.string().meta({ description: 'The job that indexes them' }),
  })
  .meta({ id: 'Upload', examples: [{ files: [EXAMPLE], jobId: 'job_01h455vb4pex5vsknk084sn02q' }] });

export const deletedFilesSchema = z
  .object({ deleted: z.array(z.string()), notFound: z.array(z.string()) })
  .meta({ id: 'DeletedFiles', examples: [{ deleted: [EXAMPLE.id], notFound: [] }] });
