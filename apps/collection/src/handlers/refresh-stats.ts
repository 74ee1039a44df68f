import type { RefreshStatsRequest } from '@lectern/contracts';
import { dimensionsOf } from '@lectern/embeddings';
import type { ServiceCall } from '@lectern/service-kit';
import { findCollection } from '#collections/find-collection';
import type { Context } from '#context';
import { LIVE_STATES } from '#document-status';
import { readableBy } from '#groups/readable-by';

const BYTES_PER_FLOAT = 4;

/**
 * Counts a collection again. Its storage is the text in UTF-8 and the dense vectors; the size of
 * the keyword index is internal to the vector store.
 */
export const refreshStats = (context: Context) => async (request: RefreshStatsRequest, call: ServiceCall) => {
  const { id, embeddingModel } = await findCollection(context, call.caller, request.id);
  const { _count, _sum, _max } = await context.db.document.aggregate({
    where: { collectionId: id, status: { in: LIVE_STATES }, ...(await readableBy(context, call.caller)) },
    _count: { _all: true },
    _sum: { chunkCount: true, sizeBytes: true },
    _max: { indexedAt: true },
  });
  const embeddingCount = _sum.chunkCount ?? 0;
  const encoder = context.denseEncoder(embeddingModel);
  const dimensions = embeddingCount === 0 ? 0 : await dimensionsOf(encoder, { signal: call.signal });
  const vectorBytes = embeddingCount * dimensions * BYTES_PER_FLOAT;
  return {
    documentCount: _count._all,
    embeddingCount,
    storageBytes: (_sum.sizeBytes ?? 0) + vectorBytes,
    lastSync: _max.indexedAt ?? undefined,
  };
};
