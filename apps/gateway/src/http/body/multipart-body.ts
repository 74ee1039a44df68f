import { z } from 'zod';
import type { Body } from '#http/body/body';
import { readMultipart, type Upload } from '#http/body/read-multipart';
import { uploadFingerprint } from '#http/body/upload-fingerprint';
import { documentMetadata } from '#http/document-metadata';

/** What a client sends; the files are read as they come, so this is for the API reference. */
const schema = z.strictObject({ files: z.array(z.file()).min(1), metadata: documentMetadata.optional() });

/**
 * A `multipart/form-data` body: `files`, once for each file, and one `metadata`, a JSON object for all of them, before or after.
 * It is read while the handler takes its parts.
 */
export const multipartBody: Body<Upload> = {
  mediaType: 'multipart/form-data',
  required: true,
  schema,
  limit: 'MAX_FILE_BYTES',
  read: async (source, config) => readMultipart(source, config),
  fingerprint: uploadFingerprint,
};
