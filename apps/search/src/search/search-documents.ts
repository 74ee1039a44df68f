import { documentKey } from '@lectern/vector-store';
import { documentsOf, type ModelMatch } from '#match/model-match';
import { ReadingBudget } from '#match/reading-budget';
import { resolveOperators } from '#match/resolve-operators';
import { arrangeRanking } from '#search/arrange-ranking';
import { listByDate } from '#search/list-by-date';
import { listRest, type Span } from '#search/list-rest';
import { mergeRankings, type RankedMatch, readRanked } from '#search/merge-rankings';
import { type Duplicates, readDuplicates } from '#search/read-duplicates';
import type { TermScores } from '#search/relevance';
import { type FoundHit, type ModelScope, type RankedModel, type SearchDeps, searchModel } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/** A document with its near-duplicates, if the request collapses them. */
export interface FoundDocument extends FoundHit {
  readonly duplicates?: Duplicates | undefined;
  /** Whether a rule of the team decided its position. */
  readonly isPinned?: boolean | undefined;
}

/** A page of documents, in the order of the query. */
export interface FoundDocuments {
  readonly hits: readonly FoundDocument[];
  /** Documents on all pages. */
  readonly total: number;
  readonly hasMore: boolean;
  /** The matches that `total` counts, per embedding model. Facets count the same. */
  readonly matches: readonly ModelMatch[];
  /** What the search found out about the terms of the query, per embedding model. */
  readonly termScores: readonly TermScores[];
}

/**
 * Returns a page of the documents that match the query: first the ranked ones, then the others (see
 * `listRest`). Recency and near-duplicates concern the ranked ones. Without words to search for, all
 * documents are listed newest first. With `sort`, all matches are ordered by date, and nothing else
 * concerns the order. Collections of different embedding models are searched in parallel and merged.
 * All pages have the same order while documents and scope do not change.
 */
export async function searchDocuments(
  deps: SearchDeps,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<FoundDocuments> {
  const scopes = await scopesByModel(deps, query, signal);
  const { offset } = query;
  const end = offset + query.limit;
  if (query.query.text === '') return browse(deps, query, scopes, { offset, end });

  const rankings = await Promise.all(scopes.map((scope) => searchModel(deps, query, scope)));
  const matches = rankings.map(({ match }) => match);
  const termScores = rankings.map((ranking) => ranking.termScores);
  if (query.sort !== undefined) {
    const dated = await listDated(deps, query, matches, { offset, end });
    return { ...dated, hits: await withBestPassages(deps, query, scopes, dated.hits), termScores };
  }
  const isComplete = rankings.every((ranking) => ranking.isComplete);
  const [{ count, ranked, groups, lowestScore, hits }, counted] = await Promise.all([
    readPage(deps, query, rankings, { offset, end }, signal),
    isComplete ? undefined : countAll(deps, matches),
  ]);
  const total = (counted ?? count) - (count - groups);
  const rest = { offset: Math.max(0, offset - groups), end: Math.min(end, total) - groups };
  const others =
    rest.end <= rest.offset
      ? []
      : await listRest(deps, query, { rankings, matches, ranked: ranked(), lowestScore }, rest);
  return { hits: [...hits, ...others], total, hasMore: end < total, matches, termScores };
}

/** Lists all documents of the scopes. */
async function browse(
  deps: SearchDeps,
  query: SearchQuery,
  scopes: readonly ModelScope[],
  span: Span,
): Promise<FoundDocuments> {
  const matches = scopes.map(({ model, request, facetFilters }) => ({ model, matched: request, facetFilters }));
  return { ...(await listDated(deps, query, matches, span)), termScores: [] };
}

/** Lists all matches by date. */
async function listDated(
  deps: SearchDeps,
  { sort = 'newest' }: SearchQuery,
  matches: readonly ModelMatch[],
  { offset, end }: Span,
): Promise<Omit<FoundDocuments, 'termScores'>> {
  const documents = matches.map((match) => ({ model: match.model, matched: documentsOf(match) }));
  const [hits, total] = await Promise.all([
    listByDate(deps.store, documents, sort, offset, end - offset),
    countAll(deps, matches),
  ]);
  return { hits: hits.map((hit) => ({ ...hit, relevance: 0 })), total, hasMore: end < total, matches };
}

/** Returns documents of one page with their best passages and relevance, found by a search in them alone. */
async function withBestPassages(
  deps: SearchDeps,
  query: SearchQuery,
  scopes: readonly ModelScope[],
  hits: readonly FoundDocument[],
): Promise<readonly FoundDocument[]> {
  if (hits.length === 0) return hits;
  const only = hits.map(({ document }) => document);
  const anyRelevance = { ...query, minScore: undefined };
  const pages = await Promise.all(
    scopes.map(async (scope) => {
      const ranking = await searchModel(deps, anyRelevance, { ...scope, request: { ...scope.request, only } });
      return ranking.readPage(0, only.length);
    }),
  );
  const best = new Map(pages.flatMap((page) => page.hits).map((hit) => [hit.document, hit]));
  return hits.map((hit) => best.get(hit.document) ?? hit);
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
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns what the query can match in each embedding model. */
export function scopesByModel(deps: SearchDeps, query: SearchQuery, signal: AbortSignal): Promise<ModelScope[]> {
  const groups = Map.groupBy(query.collections, ({ embeddingModel }) => embeddingModel);
  const { team, principals, required, filter, facetFilters, except } = query;
  const budget = new ReadingBudget();
  return Promise.all(
    [...groups].sort(byModel).map(async ([model, members]) => {
      const scope = { team, collections: members.map(({ id }) => id), principals, required, filter, except, signal };
      return { model, request: await resolveOperators(deps.store, model, scope, query.query, budget), facetFilters };
    }),
  );
}

const byModel = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** A page of the ranked documents. */
interface RankedPage {
  /** The number of ranked documents. */
  readonly count: number;
  /** Returns all of them. */
  readonly ranked: () => readonly RankedMatch[];
  /** Their number, counting near-duplicates once. */
  readonly groups: number;
  /** The score of the last one. */
  readonly lowestScore: number;
  readonly hits: readonly FoundDocument[];
}

/**
 * Reads the ranked documents of a page. Several rankings are merged first, and options that concern
 * the whole ranking are applied to it first; otherwise the order and the page are one request.
 */
async function readPage(
  deps: SearchDeps,
  query: SearchQuery,
  rankings: readonly RankedModel[],
  { offset, end }: Span,
  signal: AbortSignal,
): Promise<RankedPage> {
  const [only] = rankings;
  if (only !== undefined && rankings.length === 1 && query.recency === undefined && query.collapse === undefined) {
    const { ranking, hits, toList } = await only.readPage(offset, end);
    const { length: count } = ranking;
    const lowestScore = ranking.at(-1)?.score ?? 1;
    return { count, ranked: () => mergeRankings([toList()]), groups: count, lowestScore, hits };
  }
  const ranked = mergeRankings(await Promise.all(rankings.map((ranking) => ranking.readList())));
  const groups = await arrangeRanking(deps.store, query, ranked, signal);
  const page = groups.slice(offset, end);
  const [hits, duplicates] = await Promise.all([
    readRanked(page.map(({ first }) => first)),
    readDuplicates(deps.store, query, page, signal),
  ]);
  return {
    count: ranked.length,
    ranked: () => ranked,
    groups: groups.length,
    lowestScore: groups.at(-1)?.first.score ?? 1,
    hits: hits.map((hit) => ({ ...hit, duplicates: duplicates.get(documentKey(hit.document)) })),
  };
}
