import type { Logger } from '@lectern/service-kit';
import type { Reranker } from '#rerank/create-reranker';
import { PASSAGES_PER_DOCUMENT, rerankHits } from '#rerank/rerank-hits';
import { type FoundDocument, type FoundDocuments, searchDocuments } from '#search/search-documents';
import type { SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/**
 * The number of documents at the start of a ranking whose order can change. It is the same for every
 * page of a query, so that no document is repeated or missing.
 */
export const WINDOW = 50;

/** The dependencies of a search with reranking. */
export interface RerankDeps extends SearchDeps {
  readonly log: Logger;
  readonly reranker: Reranker | undefined;
}

/**
 * Searches like `searchDocuments` and reranks the first documents if a reranker is configured. If
 * it fails or takes too long, keeps the order and logs the reason.
 */
export async function searchReranked(
  deps: RerankDeps,
  query: SearchQuery,
  isWanted: boolean,
  signal: AbortSignal,
): Promise<FoundDocuments> {
  const { reranker } = deps;
  const offset = (query.page - 1) * query.limit;
  const end = offset + query.limit;
  const { text } = query.query;
  if (!reranker || !isWanted || text === '' || offset >= WINDOW) return searchDocuments(deps, query, signal);

  const passagesPerDocument = Math.max(query.passagesPerDocument, PASSAGES_PER_DOCUMENT);
  const windowQuery = { ...query, page: 1, limit: WINDOW, passagesPerDocument };
  const [window, page] = await Promise.all([
    searchDocuments(deps, windowQuery, signal),
    // The page extends beyond the window: later documents keep their position.
    end > WINDOW ? searchDocuments(deps, query, signal) : undefined,
  ]);
  const ordered = await orderOrKeep(deps, reranker, text, window.hits, signal);
  const shown = ordered
    .slice(offset, end)
    .map((hit) => ({ ...hit, passages: hit.passages.slice(0, query.passagesPerDocument) }));
  const after = page?.hits.slice(WINDOW - offset) ?? [];
  return { ...window, hits: [...shown, ...after], hasMore: end < window.total };
}

async function orderOrKeep(
  { log }: RerankDeps,
  reranker: Reranker,
  query: string,
  hits: readonly FoundDocument[],
  signal: AbortSignal,
): Promise<readonly FoundDocument[]> {
  try {
    return await rerankHits(reranker, query, hits, signal);
  } catch (err) {
    signal.throwIfAborted();
    log.warn({ err }, 'could not rerank; results keep their order');
    return hits;
  }
}
