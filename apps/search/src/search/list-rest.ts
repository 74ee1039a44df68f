import { queryAlternatives, queryWords } from '@lectern/embeddings';
import type { DocumentHit } from '@lectern/vector-store';
import { SEARCH_LIMITS } from '#limits';
import { documentsOf, type ModelMatch } from '#match/model-match';
import { wordMatches } from '#match/word-matches';
import { listNewest } from '#search/list-newest';
import { type FoundHit, mergeRankings, type RankedMatch, readRanked } from '#search/merge-rankings';
import { normalizedScore, withNormalizedScores } from '#search/scores';
import type { RankedModel, SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/** Part of a list, end exclusive. */
export interface Span {
  readonly offset: number;
  readonly end: number;
}

/** The matches of a query and those that are ranked already. */
interface Ranked {
  readonly rankings: readonly RankedModel[];
  readonly matches: readonly ModelMatch[];
  readonly ranked: readonly RankedMatch[];
  /** The lowest score of the documents before. */
  readonly lowestScore: number;
}

/**
 * Lists the matches that were not ranked: first by keyword score, up to
 * `SEARCH_LIMITS.rankedByWords` passages of each model, then newest first.
 */
export async function listRest(
  deps: SearchDeps,
  query: SearchQuery,
  { rankings, matches, ranked, lowestScore }: Ranked,
  { offset, end }: Span,
): Promise<FoundHit[]> {
  const known = ranked.map(({ document }) => document);
  const incomplete = rankings.filter(({ isComplete }) => !isComplete);
  const byWords = mergeRankings(
    await Promise.all(incomplete.map((ranking) => rankByWords(deps, query, ranking, known))),
  );
  const except = [...known, ...byWords.map(({ document }) => document)];
  const others = matches.map((match) => ({ model: match.model, matched: without(match, except) }));
  const from = Math.max(0, offset - byWords.length);
  const [page, newest] = await Promise.all([
    readRanked(byWords.slice(offset, end)),
    listNewest(deps.store, others, from, end - byWords.length - from),
  ]);
  // Only the scores of a keyword search compare with those of the documents before.
  const highest = query.mode === 'keyword' ? lowestScore : 0;
  return [...page.map((hit) => limitScores(hit, highest)), ...newest.map(unranked)];
}

/** Ranks the remaining matches of a model by their words. */
async function rankByWords(
  { store }: SearchDeps,
  { query: { analyzed }, passagesPerDocument }: SearchQuery,
  { match, relevanceOf, ...model }: RankedModel,
  known: readonly string[],
): Promise<RankedModel> {
  const { words: _words, orDocuments: _orDocuments, ...request } = without(match, known);
  const { ranking, read } = await store.rank(match.model, {
    ...request,
    mode: 'keyword',
    sparse: queryWords(analyzed),
    candidates: SEARCH_LIMITS.rankedByWords,
  });
  const hasWords = await wordMatches(store, match.model, request, queryAlternatives(analyzed), ranking);
  return {
    ...model,
    match,
    relevanceOf,
    ranking: ranking.filter(hasWords).map(({ document, score }) => ({
      document,
      score: normalizedScore('keyword', score),
      relevance: relevanceOf(score),
    })),
    read: async (documents) =>
      (await read(documents, passagesPerDocument)).map((hit) => withNormalizedScores('keyword', hit)),
  };
}

/** Returns the request for a model's matches without these documents. */
function without(match: ModelMatch, documents: readonly string[]) {
  const request = documentsOf(match);
  return { ...request, except: [...(request.except ?? []), ...documents] };
}

function limitScores(hit: FoundHit, highest: number): FoundHit {
  const limited = (score: number) => Math.min(score, highest);
  const passages = hit.passages.map((passage) => ({ ...passage, score: limited(passage.score) }));
  return { ...hit, score: limited(hit.score), passages };
}

function unranked(hit: DocumentHit): FoundHit {
  return { ...hit, relevance: 0 };
}
