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
  /** Documents on all pages together. */
  readonly total: number;
  readonly hasMore: boolean;
  /** What `total` counts, a request for each embedding model. Facets count the same. */
  readonly matches: readonly ModelMatch[];
}

/** A page as offsets into all documents, end exclusive. */
interface Span {
  readonly offset: number;
  readonly end: number;
}

/**
 * A page of the documents that answer the query. First those that the legs rank, by score; then the rest of what matches, newest first, with the
 * score 0. With `minScore` only ranked documents that reach it match. Without words to search for, everything is listed newest first. Collections
 * of different embedding models are searched side by side and merged. Every page is cut from the same order, as long as documents and scope stay
 * the same.
 */
export async function searchDocuments(
  deps: SearchDeps,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<FoundDocuments> {
  const reached = await matchesByModel(deps, query, signal);
  const offset = (query.page - 1) * query.limit;
  const span = { offset, end: offset + query.limit };
  const [ranked, counts] = await Promise.all([
    rank(deps, query, reached, span),
    Promise.all(reached.map((match) => countMatch(deps, match))),
  ]);
  const { minScore } = query;
  if (minScore !== undefined && minScore > 0 && query.query.text !== '') {
    return bestDocuments(ranked, reached, minScore, span);
  }
  const total = sum(counts);
  const rankedCount = sum(ranked.map(({ ranking }) => ranking.length));
  const rest = await listRest(deps, reached, ranked, {
    offset: Math.max(0, span.offset - rankedCount),
    end: Math.min(span.end, total) - rankedCount,
  });
  return {
    hits: [...mergeHits(ranked, span), ...rest],
    total,
    hasMore: span.end < total,
    matches: reached,
  };
}

/**
 * How many documents match. By meaning that does not depend on the query, so requests of the same scope that wait for it at the same time share one count, which
 * begins after all of them.
 */
function countMatch({ store, shareCounts }: SearchDeps, { model, matched }: ModelMatch): Promise<number> {
  const { signal: _signal, ...asked } = matched;
  return shareCounts(JSON.stringify([model, asked]), () => store.countDocuments(model, asked));
}

function matchesByModel(deps: SearchDeps, query: SearchQuery, signal: AbortSignal): Promise<ModelMatch[]> {
  const groups = Map.groupBy(query.collections, ({ embeddingModel }) => embeddingModel);
  const { team, principals, filter, mode } = query;
  const budget = new ReadingBudget();
  return Promise.all(
    [...groups].sort(byModel).map(async ([model, members]) => {
      const reach = { team, collections: members.map(({ id }) => id), principals, filter, signal };
      return { model, matched: await resolveMatch(deps.store, model, reach, query.query, mode, budget) };
    }),
  );
}

const byModel = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** The ranking of each model, with the hits of the page; of several models, with all hits up to its end, since they are still to be merged. */
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
 * Scores of different models speak of the same scale, 0 to 1. The sort is stable: equals stay in the order of models, and within a model in its own
 * order, so every page cuts from the same list however much of it was read.
 */
function mergeHits(ranked: readonly RankedSlice[], { offset, end }: Span): readonly DocumentHit[] {
  const [only] = ranked;
  if (ranked.length === 1 && only) return only.hits;
  const merged = ranked.flatMap(({ hits }) => hits).sort((a, b) => b.score - a.score);
  return eachDocumentOnce(merged).slice(offset, end);
}

/** The page where only documents of at least `minScore` match. */
function bestDocuments(
  ranked: readonly RankedSlice[],
  reached: readonly ModelMatch[],
  minScore: number,
  span: Span,
): FoundDocuments {
  const isGood = ({ score }: RankedDocument) => score >= minScore;
  const matches = reached.map(({ model, matched }, at) => {
    const only = ranked[at]?.ranking.filter(isGood).map(({ document }) => document) ?? [];
    return { model, matched: { ...matched, only, except: undefined } satisfies DocumentsRequest };
  });
  const total = sum(matches.map(({ matched }) => matched.only.length));
  return { hits: mergeHits(ranked, span).filter(isGood), total, hasMore: span.end < total, matches };
}

/** What matches but is not among the candidates of any leg. */
function listRest(
  { store }: SearchDeps,
  reached: readonly ModelMatch[],
  ranked: readonly RankedSlice[],
  span: Span,
): Promise<DocumentHit[]> {
  const known = ranked.flatMap(({ ranking }) => ranking.map(({ document }) => document));
  const rest = reached.map(({ model, matched }) => {
    return { model, matched: { ...matched, except: [...(matched.except ?? []), ...known] } };
  });
  return listNewest(store, rest, span.offset, span.end - span.offset);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
