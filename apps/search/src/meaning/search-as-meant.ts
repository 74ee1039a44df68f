import { correctSpelling, unknownWords } from '#meaning/correct-spelling';
import { withPhrasesFirst } from '#meaning/phrases-first';
import { type RerankDeps, searchReranked } from '#rerank/search-reranked';
import type { FoundDocuments } from '#search/search-documents';
import type { SearchQuery } from '#search/search-query';

/**
 * The number of documents among which quoted phrases come first. It is the same for every page of a
 * query, so that no document is repeated or missing.
 */
const WINDOW = 50;

/** Documents, and the query that found them, with the spellings that were added. */
export interface FoundAsMeant {
  readonly found: FoundDocuments;
  readonly query: SearchQuery;
}

/**
 * Searches, and searches again with other spellings if no readable document contains a word of the
 * query. Documents with the exact words that a sentence quotes come first.
 */
export async function searchAsMeant(
  deps: RerankDeps,
  query: SearchQuery,
  isReranked: boolean,
  signal: AbortSignal,
): Promise<FoundAsMeant> {
  const [found, unknown] = await Promise.all([
    searchBoosted(deps, query, isReranked, signal),
    unknownWords(deps, query, signal),
  ]);
  const corrected = await correctSpelling(deps, query, unknown, signal);
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
    end > WINDOW ? searchReranked(deps, query, isReranked, signal) : undefined,
  ]);
  const ordered = await withPhrasesFirst(window.hits, boosted, signal);
  const shown = ordered.slice(offset, end);
  return { ...window, hits: [...shown, ...(page?.hits.slice(WINDOW - offset) ?? [])], hasMore: end < window.total };
}
