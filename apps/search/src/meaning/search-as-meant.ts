import type { Logger } from '@lectern/service-kit';
import { correctSpelling } from '#meaning/correct-spelling';
import { phrasesFirst } from '#meaning/phrases-first';
import type { Reranker } from '#rerank/create-reranker';
import { reranking } from '#rerank/reranking';
import { searchReordered } from '#rerank/search-reordered';
import type { FoundDocuments } from '#search/search-documents';
import type { SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/** Documents, and the query that found them, with the spellings that were added. */
export interface FoundAsMeant {
  readonly found: FoundDocuments;
  readonly query: SearchQuery;
}

interface Deps extends SearchDeps {
  readonly log: Logger;
  readonly reranker: Reranker | undefined;
}

/**
 * Searches, and searches again with other spellings if no readable document contains a word of the
 * query. The first documents are reranked if a reranker is configured; those with the exact words that
 * a sentence quotes come first. A reranker is called once, so the spellings are found before the
 * search instead of after it.
 */
export async function searchAsMeant(
  deps: Deps,
  query: SearchQuery,
  isReranked: boolean,
  signal: AbortSignal,
): Promise<FoundAsMeant> {
  const { text, boosted } = query.query;
  const reranker = isReranked && text !== '' ? deps.reranker : undefined;
  const reorderings = [
    ...(reranker === undefined ? [] : [reranking(reranker, text, deps.log)]),
    ...(boosted.length === 0 ? [] : [phrasesFirst(boosted)]),
  ];
  if (reranker !== undefined) {
    const meant = (await correctSpelling(deps, query, [], signal)) ?? query;
    return { found: await searchReordered(deps, meant, reorderings, signal), query: meant };
  }
  const found = await searchReordered(deps, query, reorderings, signal);
  const corrected = await correctSpelling(deps, query, found.termScores, signal);
  if (corrected === undefined) return { found, query };
  return { found: await searchReordered(deps, corrected, reorderings, signal), query: corrected };
}
