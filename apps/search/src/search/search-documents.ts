import type { DocumentHit } from '@lectern/vector-store';
import { SEARCH_LIMITS } from '#search/limits';
import { type ModelScope, type RankedSlice, type SearchDeps, type Slice, searchModel } from '#search/search-model';
import type { SearchableCollection, SearchQuery } from '#search/search-query';

/** A page of documents, best first. */
export interface FoundDocuments {
  readonly hits: readonly DocumentHit[];
  /** Documents on all pages together. */
  readonly total: number;
  readonly hasMore: boolean;
}

// Each leg's candidates may all be of different documents.
const WHOLE_RANKING = SEARCH_LIMITS.candidates * 2;

/**
 * A page of the documents that answer the query, best first. Collections of different embedding models are searched side by side and
 * merged by score. Every page is cut from the same ranking, as long as documents and scope stay the same.
 */
export async function searchDocuments(
  deps: SearchDeps,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<FoundDocuments> {
  const scopes = groupByModel(query.collections);
  const rank = (slice: Slice) => Promise.all(scopes.map((scope) => searchModel(deps, query, scope, slice, signal)));
  const { limit, passagesPerDocument, minScore } = query;
  const offset = (query.page - 1) * limit;
  const total = minScore === undefined ? undefined : await countAbove(minScore, rank);
  const end = Math.min(offset + limit, total ?? Number.POSITIVE_INFINITY, WHOLE_RANKING * scopes.length);
  if (end <= offset) return { hits: [], total: total ?? (await countAll(rank)), hasMore: false };

  const [only] = scopes;
  const single = scopes.length === 1 && only !== undefined;
  const rankings = single
    ? await rank({ offset, limit: end - offset, passagesPerDocument })
    : await rank({ offset: 0, limit: end, passagesPerDocument });
  const merged = mergeByScore(rankings);
  const all = total ?? sum(rankings.map((ranking) => ranking.total));
  return { hits: single ? merged : merged.slice(offset, end), total: all, hasMore: offset + limit < all };
}

function groupByModel(collections: readonly SearchableCollection[]): ModelScope[] {
  const groups = Map.groupBy(collections, ({ embeddingModel }) => embeddingModel);
  return [...groups].map(([model, members]) => ({ model, collections: members.map(({ id }) => id) }));
}

/** Scores of different models speak of the same scale, 0 to 1; equals are ordered by id, so that pages never overlap. */
function mergeByScore(rankings: readonly RankedSlice[]): DocumentHit[] {
  const hits = rankings.flatMap((ranking) => ranking.hits);
  if (rankings.length === 1) return hits;
  return hits.sort((a, b) => b.score - a.score || (a.document < b.document ? -1 : 1));
}

type Rank = (slice: Slice) => Promise<readonly RankedSlice[]>;

async function countAbove(minScore: number, rank: Rank): Promise<number> {
  const rankings = await rank({ offset: 0, limit: WHOLE_RANKING, passagesPerDocument: 1 });
  return sum(rankings.map(({ hits }) => hits.filter(({ score }) => score >= minScore).length));
}

async function countAll(rank: Rank): Promise<number> {
  return sum((await rank({ offset: 0, limit: 1, passagesPerDocument: 1 })).map(({ total }) => total));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
