import type { Collection, CollectionStats } from '@lectern/contracts';
import { z } from 'zod';
import { timestamp } from '#http/answer-schema';
import { time } from '#http/time';

/** A collection as lists show it. */
export function collectionItem(collection: Collection) {
  return {
    id: collection.id,
    name: collection.name,
    description: collection.description ?? null,
    documentCount: collection.documentCount,
    embeddingModel: collection.embeddingModel,
    createdAt: time(collection.createdAt),
  };
}

/** The whole record; `connectors` are the ids of the connectors that feed it. */
export function collectionRecord(collection: Collection, connectors: readonly string[]) {
  return {
    ...collectionItem(collection),
    embeddingCount: collection.embeddingCount,
    connectors,
    // Only while documents move to another model.
    ...(collection.reindexing > 0 ? { reindexing: collection.reindexing } : {}),
    updatedAt: time(collection.updatedAt),
  };
}

export function collectionStats(stats: CollectionStats) {
  return {
    documentCount: stats.documentCount,
    embeddingCount: stats.embeddingCount,
    storageBytes: stats.storageBytes,
    lastSync: time(stats.lastSync),
  };
}

const item = {
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  documentCount: z.int().meta({ description: 'Documents, deleted ones left out' }),
  embeddingModel: z.string(),
  createdAt: timestamp,
};
const itemExample = {
  id: 'col_01h455vb4pex5vsknk084sn02q',
  name: 'Handbook',
  description: 'How we work',
  documentCount: 42,
  embeddingModel: 'builtin',
  createdAt: '2026-11-21T10:00:00.000Z',
};

export const collectionItemSchema = z.object(item).meta({
  id: 'CollectionItem',
  description: 'A collection as lists show it',
  examples: [itemExample],
});

export const collectionRecordSchema = z
  .object({
    ...item,
    embeddingCount: z.int(),
    connectors: z.array(z.string()).meta({ description: 'The ids of the connectors that feed it' }),
    reindexing: z.int().min(1).optional().meta({ description: 'Documents still to move to another embedding model' }),
    updatedAt: timestamp,
  })
  .meta({
    id: 'Collection',
    description: 'A group of documents and their embeddings',
    examples: [{ ...itemExample, embeddingCount: 380, connectors: [], updatedAt: '2026-11-21T10:00:00.000Z' }],
  });

export const collectionStatsSchema = z
  .object({
    documentCount: z.int(),
    embeddingCount: z.int(),
    storageBytes: z.int().meta({ description: 'Bytes' }),
    lastSync: timestamp.nullable(),
  })
  .meta({
    id: 'CollectionStats',
    examples: [{ documentCount: 42, embeddingCount: 380, storageBytes: 1_250_000, lastSync: null }],
  });
