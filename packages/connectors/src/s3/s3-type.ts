import { z } from 'zod';
import { openS3 } from '#s3/s3-connector';
import { defineType } from '#settings/connector-type';
import { principals } from '#settings/principals';

const isEndpoint = (text: string): boolean => {
  // As written: URL resolves the path `/.` to `/`.
  if (!URL.canParse(text) || !/^https?:\/\/[^/]+\/?$/i.test(text)) return false;
  const { username, password, search, hash, pathname } = new URL(text);
  return `${username}${password}${search}${hash}` === '' && pathname === '/';
};

/** A bucket of Amazon S3 or any compatible server. */
export const s3Type = defineType({
  name: 's3',
  acceptsFiles: true,
  // The region only selects one of Amazon's endpoints.
  endpointFields: ['endpoint', 'bucket'],
  config: z.strictObject({
    bucket: z.string().regex(/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i, 'must be the name of a bucket'),
    region: z
      .string()
      .regex(/^[a-z0-9-]{1,40}$/, 'must be a region, for example eu-central-1')
      .default('us-east-1'),
    prefix: z.string().max(1_024).optional(),
    endpoint: z
      .string()
      .max(2_000)
      .refine(isEndpoint, 'must be a URL without a path, for example https://minio.example.com')
      .optional(),
    principals: principals.optional(),
  }),
  credentials: z.strictObject({
    accessKeyId: z.string().trim().min(1, 'is missing').max(256),
    secretAccessKey: z.string().trim().min(1, 'is missing').max(256),
    sessionToken: z.string().trim().min(1).max(4_096).optional(),
  }),
  open: ({ config, credentials, host }) => openS3(config, credentials, host),
});
