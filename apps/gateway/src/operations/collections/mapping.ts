import type { Collection, CollectionStats } from '@lectern/contracts';
import { time } from '#operations/convert';

/** A collection in a list. */
export function collectionItem(collection: Collection) {
  return {
    id: collection.id,
    name: collection.name,
    description: collection.description ?? null,
    documentCount: collection.documentCount,
    failedCount: collection.failedCount,
    embeddingModel: collection.embeddingModel,
    createdAt: time(collection.createdAt),
  };
}

/** A collection with the ids of its connectors. */
export function collectionRecord(collection: Collection, connectors: readonly string[]) {
  return {
    ...collectionItem(collection),
    embeddingCount: collection.embeddingCount,
    connectors,
    // Present only while documents move to another model.
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
