import { z } from 'zod';
import { parseErrorCodes } from '#parse-error';

/** Host to child: exactly `sizeBytes` of a file follow on standard input. */
export const parseRequest = z.strictObject({
  fileName: z.string(),
  mimeType: z.string().optional(),
  sizeBytes: z.int().min(0),
  limits: z.strictObject({ maxTextChars: z.int().positive(), maxInflatedBytes: z.int().positive() }),
});
export type ParseRequest = z.infer<typeof parseRequest>;

const offsets = z.array(z.int().min(0)).readonly();

const parsedDocument = z.strictObject({
  text: z.string(),
  title: z.string().exactOptional(),
  pageOffsets: offsets.exactOptional(),
  metadata: z.strictObject({
    mimeType: z.string(),
    author: z.string().exactOptional(),
    pages: z.int().min(0).exactOptional(),
    language: z.string().exactOptional(),
    createdAt: z.string().exactOptional(),
    modifiedAt: z.string().exactOptional(),
    description: z.string().exactOptional(),
    keywords: z.array(z.string()).readonly().exactOptional(),
    charset: z.string().exactOptional(),
    attachments: z.array(z.string()).readonly().exactOptional(),
  }),
});

/** Child to host. The child has parsed untrusted bytes, so the host validates every message. */
export const workerMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('parsed'), document: parsedDocument, rssBytes: z.number() }),
  z.strictObject({
    type: z.literal('failed'),
    code: z.enum(parseErrorCodes),
    message: z.string(),
    rssBytes: z.number(),
  }),
]);
export type WorkerMessage = z.infer<typeof workerMessage>;
