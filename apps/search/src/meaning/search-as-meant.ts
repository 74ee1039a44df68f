import type { Logger } from '@lectern/service-kit';
import { type Corrections, correctSpelling } from '#meaning/correct-spelling';
import { phrasesFirst } from '#meaning/phrases-first';
import type { Reranker } from '#rerank/create-reranker';
import { reranking } from '#rerank/reranking';
import type { Curation } from '#rules/curation';
import { searchCurated } from '#rules/search-curated';
import type { FoundDocuments } from '#search/search-documents';
import type { SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/** Documents, and the query that found them, with the spellings that were added. */
export interface FoundAsMeant {
  readonly found: FoundDocuments;
  readonly query: SearchQuery;
  /** The best other spelling of each word of the query that no readable document contains. */
  readonly corrections: Corrections;
}

interface Deps extends SearchDeps {
  readonly log: Logger;
  readonly reranker: Reranker | undefined;
}

interface SearchOptions {
  readonly isReranked: boolean;
  readonly curation: Curation;
}

const AS_WRITTEN: Corrections = new Map();

/**
 * Searches, and searches again with other spellings if no readable document contains a word of the
 * query. The first documents are reranked if a reranker is configured; those with the exact words that
 * a sentence quotes come first. A reranker is called once, so the spellings are found before the
 * search instead of after it.
 */
export async function searchAsMeant(
  deps: Deps,
  query: SearchQuery,
  { isReranked, curation }: SearchOptions,
  signal: AbortSignal,
): Promise<FoundAsMeant> {
  const { text, boosted } = query.query;
  const isRanked = query.sort === undefined;
  const reranker = isReranked && isRanked && text !== '' ? deps.reranker : undefined;
  const reorderings = [
    ...(reranker === undefined ? [] : [reranking(reranker, text, deps.log)]),
    ...(boosted.length === 0 || !isRanked ? [] : [phrasesFirst(boosted)]),
  ];
  if (reranker !== undefined) {
    const meant = (await correctSpelling(deps, query, [], signal)) ?? { query, corrections: AS_WRITTEN };
    return { found: await searchCurated(deps, meant.query, curation, reorderings, signal), ...meant };
  }
  const found = await searchCurated(deps, query, curation, reorderings, signal);
  const corrected = await correctSpelling(deps, query, found.termScores, signal);
  if (corrected === undefined) return { found, query, corrections: AS_WRITTEN };
  return { found: await searchCurated(deps, corrected.query, curation, reorderings, signal), ...corrected };
}
