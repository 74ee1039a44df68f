import type { DocumentHit } from '@lectern/vector-store';
import type { Group } from '#collapse/group-duplicates';
import { type Duplicates, readDuplicates } from '#collapse/read-duplicates';
import { ReadingBudget } from '#match/reading-budget';
import { resolveMatch } from '#match/resolve-match';
import { arrangeRanking } from '#search/arrange-ranking';
import { listNewest } from '#search/list-newest';
import { mergeRankings, type RankedMatch, readRanked } from '#search/merge-rankings';
import { type ModelMatch, type SearchDeps, searchModel } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/** A document with its near-duplicates, if the request collapses them. */
export interface FoundDocument extends DocumentHit {
  readonly duplicates?: Duplicates | undefined;
}

/** A page of documents, best first. */
export interface FoundDocuments {
  readonly hits: readonly FoundDocument[];
  /** Documents on all pages. */
  readonly total: number;
  readonly hasMore: boolean;
  /** The matches that `total` counts, per embedding model. Facets count the same. */
  readonly matches: readonly ModelMatch[];
}

/**
 * Returns a page of the documents that match the query: first ranked documents by score, then the
 * other matches, newest first, with score 0. Recency and near-duplicates concern the ranked ones. With `minScore`, only ranked documents with at least
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
  const [ranked, counts] = await Promise.all([
    rank(deps, query, matching),
    Promise.all(matching.map((match) => countMatch(deps, match))),
  ]);
  const offset = (query.page - 1) * query.limit;
  const end = offset + query.limit;
  const { minScore } = query;
  if (minScore !== undefined && minScore > 0 && query.query.text !== '') {
    const best = ranked.filter(({ score }) => score >= minScore);
    const groups = await arrangeRanking(deps.store, query, best, signal);
    return {
      hits: await readPage(deps, query, groups.slice(offset, end), signal),
      total: groups.length,
      hasMore: end < groups.length,
      matches: matching.map((match) => onlyRanked(match, best)),
    };
  }
  const groups = await arrangeRanking(deps.store, query, ranked, signal);
  const collapsed = ranked.length - groups.length;
  const total = counts.reduce((sum, count) => sum + count, 0) - collapsed;
  const [hits, rest] = await Promise.all([
    readPage(deps, query, groups.slice(offset, end), signal),
    listRest(deps, matching, ranked, Math.max(0, offset - groups.length), Math.min(end, total) - groups.length),
  ]);
  return { hits: [...hits, ...rest], total, hasMore: end < total, matches: matching };
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

/** Ranks the matches of all models. */
async function rank(
  deps: SearchDeps,
  query: SearchQuery,
  matches: readonly ModelMatch[],
): Promise<readonly RankedMatch[]> {
  if (query.query.text === '') return [];
  return mergeRankings(
    await Promise.all(
      matches.map(async ({ model, matched }) => ({ model, ...(await searchModel(deps, query, { model, matched })) })),
    ),
  );
}

/** Reads the documents of a page, each with its near-duplicates. */
async function readPage(
  { store }: SearchDeps,
  query: SearchQuery,
  groups: readonly Group<RankedMatch>[],
  signal: AbortSignal,
): Promise<FoundDocument[]> {
  const [hits, duplicates] = await Promise.all([
    readRanked(groups.map(({ first }) => first)),
    readDuplicates(store, query, groups, signal),
  ]);
  return hits.map((hit) => ({ ...hit, duplicates: duplicates.get(hit.document) }));
}

/** Narrows a match to its ranked documents. */
function onlyRanked({ model, matched }: ModelMatch, ranked: readonly RankedMatch[]): ModelMatch {
  const only = ranked.flatMap(({ source, document }) => (source.model === model ? [document] : []));
  return { model, matched: { ...matched, only, except: undefined } };
}

/** Lists matches that are not candidates of any leg. */
function listRest(
  { store }: SearchDeps,
  matching: readonly ModelMatch[],
  ranked: readonly RankedMatch[],
  offset: number,
  end: number,
): Promise<DocumentHit[]> {
  const known = ranked.map(({ document }) => document);
  const rest = matching.map(({ model, matched }) => {
    return { model, matched: { ...matched, except: [...(matched.except ?? []), ...known] } };
  });
  return listNewest(store, rest, offset, end - offset);
}
