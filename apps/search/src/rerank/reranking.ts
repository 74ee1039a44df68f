import type { Logger } from '@lectern/service-kit';
import type { Reranker } from '#rerank/create-reranker';
import { rerankHits } from '#rerank/rerank-hits';
import type { Reordering } from '#rerank/search-reordered';

/**
 * Reorders documents with a reranker. If it fails or takes too long, keeps the order and logs the
 * reason.
 */
export function reranking(reranker: Reranker, query: string, log: Logger): Reordering {
  return {
    passagesPerDocument: reranker.passagesPerDocument,
    async reorder(hits, signal) {
      try {
        return await rerankHits(reranker, query, hits, signal);
      } catch (err) {
        signal.throwIfAborted();
        log.warn({ err }, 'could not rerank; results keep their order');
        return hits;
      }
    },
  };
}
