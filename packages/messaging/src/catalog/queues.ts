import { z } from 'zod';
import { queue } from '#catalog/define';

const BACKOFF_MS = [1_000, 5_000, 15_000, 30_000, 60_000];

/** Plan a sync job: list the source and create a row for each item. */
export const syncPlan = queue({
  name: 'sync-plan',
  schema: z.object({ teamId: z.string(), connectorId: z.string(), jobId: z.string() }),
  ackWaitMs: 20_000,
  maxDeliveries: 8,
  backoffMs: BACKOFF_MS,
});

/** Process one item of a sync job: fetch, parse, index. */
export const syncItem = queue({
  name: 'sync-item',
  schema: z.object({ teamId: z.string(), connectorId: z.string(), jobId: z.string(), itemId: z.string() }),
  ackWaitMs: 20_000,
  maxDeliveries: 8,
  backoffMs: BACKOFF_MS,
});

/** Index a document that was created through the API. */
export const documentIndex = queue({
  name: 'document-index',
  schema: z.object({ teamId: z.string(), documentId: z.string() }),
  ackWaitMs: 20_000,
  maxDeliveries: 8,
  backoffMs: BACKOFF_MS,
});

/** All queues. */
export const queues = [syncPlan, syncItem, documentIndex] as const;
