import { z } from 'zod';

const span = { start: z.int(), end: z.int() };

/** The parts of the API's records that are shown. What else they hold stays in, for `--json`. */
export const ownKey = z.looseObject({
  name: z.string(),
  teamId: z.string(),
  kind: z.enum(['secret', 'publishable']),
  allow_all_collections: z.boolean(),
  allowed_collections: z.array(z.string()),
});

export const collection = z.looseObject({ id: z.string(), name: z.string(), documentCount: z.int() });

export const connector = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  status: z.string(),
  statusReason: z.string().nullish(),
  collection: z.string(),
  lastSync: z.string().nullable(),
});

export const searchAnswer = z.looseObject({
  results: z.array(
    z.looseObject({
      documentId: z.string(),
      title: z.string(),
      excerpt: z.string(),
      highlights: z.array(z.object(span)),
      url: z.string().nullable(),
      score: z.number(),
      collectionName: z.string(),
    }),
  ),
});

export const job = z.looseObject({
  jobId: z.string(),
  connectorId: z.string(),
  status: z.string(),
  queuedReason: z.string().optional(),
  progress: z.object({
    total: z.int(),
    collected: z.int(),
    parsed: z.int(),
    indexed: z.int(),
    skipped: z.int(),
    deleted: z.int(),
    failed: z.int(),
  }),
  errors: z.array(z.object({ path: z.string().nullish(), code: z.string(), message: z.string() })),
});

export type Job = z.output<typeof job>;

export const upload = z.looseObject({ files: z.array(z.looseObject({ path: z.string() })), jobId: z.string() });

export const source = z.looseObject({ id: z.string(), title: z.string(), url: z.string().nullish() });

export const confidence = z.looseObject({ score: z.number(), label: z.string() }).nullable();
