import { correctSpelling } from '#meaning/correct-spelling';
import { withPhrasesFirst } from '#meaning/phrases-first';
import { type RerankDeps, searchReranked, WINDOW } from '#rerank/search-reranked';
import { type FoundDocuments, searchDocuments } from '#search/search-documents';
import type { SearchQuery } from '#search/search-query';

/** Documents, and the query that found them, with the spellings that were added. */
export interface FoundAsMeant {
  readonly found: FoundDocuments;
  readonly query: SearchQuery;
}

/**
 * Searches, and searches again with other spellings if no readable document contains a word of the
 * query. Documents with the exact words that a sentence quotes come first. A reranker is called once,
 * so the spellings are found before the search instead of during it.
 */
export async function searchAsMeant(
  deps: RerankDeps,
  query: SearchQuery,
  isReranked: boolean,
  signal: AbortSignal,
): Promise<FoundAsMeant> {
  const correcting = correctSpelling(deps, query, signal);
  if (deps.reranker !== undefined && isReranked) {
    const meant = (await correcting) ?? query;
    return { found: await searchBoosted(deps, meant, isReranked, signal), query: meant };
  }
  const [found, corrected] = await Promise.all([searchBoosted(deps, query, isReranked, signal), correcting]);
  if (corrected === undefined) return { found, query };
  return { found: await searchBoosted(deps, corrected, isReranked, signal), query: corrected };
}

async function searchBoosted(
  deps: RerankDeps,
  query: SearchQuery,
  isReranked: boolean,
  signal: AbortSignal,
): Promise<FoundDocuments> {
  const offset = (query.page - 1) * query.limit;
  const end = offset + query.limit;
  const { boosted } = query.query;
  if (boosted.length === 0 || offset >= WINDOW) return searchReranked(deps, query, isReranked, signal);
  const [window, page] = await Promise.all([
    searchReranked(deps, { ...query, page: 1, limit: WINDOW }, isReranked, signal),
    // The page extends beyond the window: later documents keep their position.
    end > WINDOW ? searchDocuments(deps, query, signal) : undefined,
  ]);
  const ordered = await withPhrasesFirst(window.hits, boosted, signal);
  const shown = ordered.slice(offset, end);
  return { ...window, hits: [...shown, ...(page?.hits.slice(WINDOW - offset) ?? [])], hasMore: end < window.total };
}
