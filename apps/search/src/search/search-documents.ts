import { documentsOf, type ModelMatch } from '#match/model-match';
import { ReadingBudget } from '#match/reading-budget';
import { resolveOperators } from '#match/resolve-operators';
import { eachDocumentOnce } from '#search/each-document-once';
import { listRest } from '#search/list-rest';
import { type FoundHit, readPage } from '#search/read-page';
import { type ModelRanking, type ModelScope, type SearchDeps, searchModel } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/** A page of documents, best first. */
export interface FoundDocuments {
  readonly hits: readonly FoundHit[];
  /** Documents on all pages. */
  readonly total: number;
  readonly hasMore: boolean;
  /** The matches that `total` counts, per embedding model. Facets count the same. */
  readonly matches: readonly ModelMatch[];
}

/**
 * Returns a page of the documents that match the query: first the ranked ones, then the others (see
 * `listRest`). Without words to search for, all documents are listed newest first. Collections of
 * different embedding models are searched in parallel and merged. All pages have the same order
 * while documents and scope do not change.
 */
export async function searchDocuments(
  deps: SearchDeps,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<FoundDocuments> {
  const scopes = await scopesByModel(deps, query, signal);
  const offset = (query.page - 1) * query.limit;
  const end = offset + query.limit;
  if (query.query.text === '') {
    const matches = scopes.map(({ model, request, facetFilters }) => ({ model, matched: request, facetFilters }));
    const [hits, total] = await Promise.all([
      listRest(deps, query, { rankings: [], matches, ranked: [] }, { offset, end }, signal),
      countAll(deps, matches),
    ]);
    return { hits, total, hasMore: end < total, matches };
  }
  const rankings = await Promise.all(scopes.map((scope) => searchModel(deps, query, scope)));
  const matches = rankings.map(({ match }) => match);
  const ranked = merge(rankings);
  const isComplete = rankings.every((ranking) => ranking.isComplete);
  const [hits, total] = await Promise.all([
    readPage(deps, query, ranked.slice(offset, end), signal),
    isComplete ? ranked.length : countAll(deps, matches),
  ]);
  const rest = { offset: Math.max(0, offset - ranked.length), end: Math.min(end, total) - ranked.length };
  const others =
    rest.end <= rest.offset ? [] : await listRest(deps, query, { rankings, matches, ranked }, rest, signal);
  return { hits: [...hits, ...others], total, hasMore: end < total, matches };
}

/**
 * Counts the matches. Concurrent requests for the same documents share a count that starts after all
 * of them.
 */
async function countAll({ store, shareCounts }: SearchDeps, matches: readonly ModelMatch[]): Promise<number> {
  const counts = await Promise.all(
    matches.map((match) => {
      const { signal: _signal, ...request } = documentsOf(match);
      return shareCounts(JSON.stringify([match.model, request]), () => store.countDocuments(match.model, request));
    }),
  );
  return counts.reduce((total, count) => total + count, 0);
}

function scopesByModel(deps: SearchDeps, query: SearchQuery, signal: AbortSignal): Promise<ModelScope[]> {
  const groups = Map.groupBy(query.collections, ({ embeddingModel }) => embeddingModel);
  const { team, principals, filter, facetFilters } = query;
  const budget = new ReadingBudget();
  return Promise.all(
    [...groups].sort(byModel).map(async ([model, members]) => {
      const scope = { team, collections: members.map(({ id }) => id), principals, filter, signal };
      return { model, request: await resolveOperators(deps.store, model, scope, query.query, budget), facetFilters };
    }),
  );
}

const byModel = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/**
 * Scores of all models use the same scale, 0 to 1. The sort is stable: ties keep the order of
 * models and of each model's ranking, so every page is cut from the same list.
 */
function merge(rankings: readonly ModelRanking[]): ModelRanking['documents'] {
  const [only] = rankings;
  if (rankings.length === 1 && only) return only.documents;
  const merged = rankings.flatMap(({ documents }) => documents).sort((a, b) => b.score - a.score);
  return eachDocumentOnce(merged);
}
