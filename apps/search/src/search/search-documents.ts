import type { DocumentHit, DocumentsRequest, RankedDocument } from '@lectern/vector-store';
import { ReadingBudget } from '#match/reading-budget';
import { resolveMatch } from '#match/resolve-match';
import { eachDocumentOnce } from '#search/each-document-once';
import { listNewest } from '#search/list-newest';
import { type ModelMatch, type RankedSlice, type SearchDeps, searchModel } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/** A page of documents, best first. */
export interface FoundDocuments {
  readonly hits: readonly DocumentHit[];
  /** Documents on all pages. */
  readonly total: number;
  readonly hasMore: boolean;
  /** The matches that `total` counts, per embedding model. Facets count the same. */
  readonly matches: readonly ModelMatch[];
}

/** A page as document offsets, end exclusive. */
interface Span {
  readonly offset: number;
  readonly end: number;
}

/**
 * Returns a page of the documents that match the query: first ranked documents by score, then the
 * other matches, newest first, with score 0. With `minScore`, only ranked documents with at least
 * that score match. Without words to search for, all documents are listed newest first. Collections
 * of different embedding models are searched in parallel and merged. All pages have the same order
 * while documents and scope do not change.
 */
export async function searchDocuments(
  deps: SearchDeps,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<FoundDocuments> {
  const matching = await matchesByModel(deps, query, signal);
  const offset = (query.page - 1) * query.limit;
  const span = { offset, end: offset + query.limit };
  const [ranked, counts] = await Promise.all([
    rank(deps, query, matching, span),
    Promise.all(matching.map((match) => countMatch(deps, match))),
  ]);
  const { minScore } = query;
  if (minScore !== undefined && minScore > 0 && query.query.text !== '') {
    return bestDocuments(ranked, matching, minScore, span);
  }
  const total = sum(counts);
  const rankedCount = sum(ranked.map(({ ranking }) => ranking.length));
  const rest = await listRest(deps, matching, ranked, {
    offset: Math.max(0, span.offset - rankedCount),
    end: Math.min(span.end, total) - rankedCount,
  });
  return {
    hits: [...mergeHits(ranked, span), ...rest],
    total,
    hasMore: span.end < total,
    matches: matching,
  };
}

/**
 * Counts the matches. In semantic mode the count does not depend on the query, so concurrent
 * requests of one scope share a count that starts after all of them.
 */
function countMatch({ store, shareCounts }: SearchDeps, { model, matched }: ModelMatch): Promise<number> {
  const { signal: _signal, ...countRequest } = matched;
  return shareCounts(JSON.stringify([model, countRequest]), () => store.countDocuments(model, countRequest));
}

function matchesByModel(deps: SearchDeps, query: SearchQuery, signal: AbortSignal): Promise<ModelMatch[]> {
  const groups = Map.groupBy(query.collections, ({ embeddingModel }) => embeddingModel);
  const { team, principals, filter, mode } = query;
  const budget = new ReadingBudget();
  return Promise.all(
    [...groups].sort(byModel).map(async ([model, members]) => {
      const scope = { team, collections: members.map(({ id }) => id), principals, filter, signal };
      return { model, matched: await resolveMatch(deps.store, model, scope, query.query, mode, budget) };
    }),
  );
}

const byModel = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/**
 * Returns each model's ranking with the hits of the page; for several models with all hits up to
 * its end, because they still need to be merged.
 */
function rank(
  deps: SearchDeps,
  query: SearchQuery,
  matches: readonly ModelMatch[],
  { offset, end }: Span,
): Promise<readonly RankedSlice[]> {
  if (query.query.text === '') return Promise.resolve([]);
  const from = matches.length === 1 ? offset : 0;
  const slice = { offset: from, limit: end - from, passagesPerDocument: query.passagesPerDocument };
  return Promise.all(matches.map((match) => searchModel(deps, query, match, slice)));
}

/**
 * Scores of all models use the same scale, 0 to 1. The sort is stable: ties keep the order of
 * models and of each model's ranking, so every page is cut from the same list.
 */
function mergeHits(ranked: readonly RankedSlice[], { offset, end }: Span): readonly DocumentHit[] {
  const [only] = ranked;
  if (ranked.length === 1 && only) return only.hits;
  const merged = ranked.flatMap(({ hits }) => hits).sort((a, b) => b.score - a.score);
  return eachDocumentOnce(merged).slice(offset, end);
}

/** Returns the page if `minScore` is set. */
function bestDocuments(
  ranked: readonly RankedSlice[],
  matching: readonly ModelMatch[],
  minScore: number,
  span: Span,
): FoundDocuments {
  const isGood = ({ score }: RankedDocument) => score >= minScore;
  const matches = matching.map(({ model, matched }, at) => {
    const only = ranked[at]?.ranking.filter(isGood).map(({ document }) => document) ?? [];
    return { model, matched: { ...matched, only, except: undefined } satisfies DocumentsRequest };
  });
  const total = sum(matches.map(({ matched }) => matched.only.length));
  return { hits: mergeHits(ranked, span).filter(isGood), total, hasMore: span.end < total, matches };
}

/** Lists matches that are not candidates of any leg. */
function listRest(
  { store }: SearchDeps,
  matching: readonly ModelMatch[],
  ranked: readonly RankedSlice[],
  span: Span,
): Promise<DocumentHit[]> {
  const known = ranked.flatMap(({ ranking }) => ranking.map(({ document }) => document));
  const rest = matching.map(({ model, matched }) => {
    return { model, matched: { ...matched, except: [...(matched.except ?? []), ...known] } };
  });
  return listNewest(store, rest, span.offset, span.end - span.offset);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
