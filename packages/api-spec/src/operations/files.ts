import { z } from 'zod';
import { jsonBody, type MultipartBody, withoutBody } from '#body';
import {
  documentMetadata,
  EXAMPLE_TIME,
  exampleId,
  idParams,
  integer,
  ownId,
  pageQuery,
  recordId,
  text,
  timestamp,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

/** The gateway reads the files while they arrive, so this schema only documents the body. */
const uploadBody: MultipartBody = {
  kind: 'multipart',
  mediaType: 'multipart/form-data',
  required: true,
  schema: z.strictObject({
    files: z.array(z.file()).min(1).meta({ description: 'The files, each with a file name or a path.' }),
    metadata: documentMetadata
      .optional()
      .meta({ description: 'A JSON object with metadata for all files, at most 64 KiB.' }),
  }),
  limit: 'MAX_FILE_BYTES',
};

const deleteBody = z
  .strictObject({
    files: z
      .array(z.string().min(1).max(1_024))
      .min(1)
      .max(1_000)
      .meta({ description: 'Ids or paths of the files to delete.' }),
  })
  .meta({ examples: [{ files: ['hr/leave.pdf'] }] });

const uploaded = {
  id: ownId('file'),
  name: text('The name of the file.', 'leave.pdf'),
  path: text('The path of the file in the connector.', 'hr/leave.pdf'),
  size: integer('The size in bytes.'),
  mimeType: text('The media type.', 'application/pdf'),
  checksum: text('The SHA-256 of the content.'),
  documentId: z.string().optional().meta({ description: 'The id of the document created from the file.' }),
  status: text('The status of that document.', 'pending'),
};
const EXAMPLE = {
  id: exampleId('file'),
  name: 'leave.pdf',
  path: 'hr/leave.pdf',
  size: 9_000,
  mimeType: 'application/pdf',
  checksum: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  documentId: exampleId('document'),
  status: 'pending',
};

const fileSchema = z.object({ ...uploaded, updatedAt: timestamp('When the file was last changed.') }).meta({
  id: 'SourceFile',
  description: 'A file of a connector.',
  examples: [{ ...EXAMPLE, updatedAt: EXAMPLE_TIME }],
});

const uploadSchema = z
  .object({
    files: z
      .array(z.object(uploaded).meta({ id: 'UploadedFile', description: 'A stored file.', examples: [EXAMPLE] }))
      .meta({ description: 'The stored files.' }),
    jobId: recordId('job', 'The id of the job that indexes the files.'),
  })
  .meta({
    id: 'Upload',
    description: 'Stored files and the job that indexes them.',
    examples: [{ files: [EXAMPLE], jobId: exampleId('job') }],
  });

const deletedFilesSchema = z
  .object({
    deleted: z.array(z.string()).meta({ description: 'The ids of the deleted files.' }),
    notFound: z.array(z.string()).meta({ description: 'The ids and paths that were not found.' }),
  })
  .meta({
    id: 'DeletedFiles',
    description: 'The result of a deletion of files.',
    examples: [{ deleted: [EXAMPLE.id], notFound: [] }],
  });

export const listFiles = operation({
  id: 'listFiles',
  method: 'get',
  path: '/api/v1/connectors/{id}/files',
  summary: 'List files',
  description: 'Lists the source files of a connector.',
  access: 'secret',
  params: idParams('connector'),
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(fileSchema)),
});

export const deleteFiles = operation({
  id: 'deleteFiles',
  method: 'delete',
  path: '/api/v1/connectors/{id}/files',
  summary: 'Delete files',
  description: 'Deletes files of an upload connector and their documents, by id or path.',
  access: 'secret',
  params: idParams('connector'),
  query: none,
  body: jsonBody(deleteBody, 'MAX_JSON_BYTES'),
  success: 200,
  response: one(deletedFilesSchema),
});

export const uploadFiles = operation({
  id: 'uploadFiles',
  method: 'post',
  path: '/api/v1/connectors/{id}/files/upload',
  summary: 'Upload files',
  description:
    'Uploads files to an upload connector and starts a job that indexes them. A file with an existing path replaces it.',
  access: 'secret',
  params: idParams('connector'),
  query: none,
  body: uploadBody,
  success: 202,
  response: one(uploadSchema),
});
