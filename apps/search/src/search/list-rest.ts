import { queryAlternatives, queryWords } from '@lectern/embeddings';
import type { DocumentHit } from '@lectern/vector-store';
import { SEARCH_LIMITS } from '#limits';
import { documentsOf, type ModelMatch } from '#match/model-match';
import { wordMatches } from '#match/word-matches';
import { listByDate } from '#search/list-by-date';
import { mergeRankings, type RankedMatch, readRanked } from '#search/merge-rankings';
import { normalizedScore, withNormalizedScores } from '#search/scores';
import type { FoundHit, RankedList, RankedModel, SearchDeps } from '#search/search-model';
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
  const incomplete = rankings.filter(({ isComplete }) => !isComplete);
  const except = incomplete.length === 0 ? [] : await idsOf(deps, query, ranked);
  const lists = await Promise.all(incomplete.map((model) => rankByWords(deps, query, model, except)));
  const known = new Set(ranked.map(({ key }) => key));
  const byWords = mergeRankings(lists).filter(({ key }) => !known.has(key));
  const exceptFirst = [...Map.groupBy([...ranked, ...byWords], ({ source }) => source)].flatMap(([source, entries]) =>
    source.firstPassages(entries.map(({ key }) => key)),
  );
  const others = matches.map((match) => ({ model: match.model, matched: { ...documentsOf(match), exceptFirst } }));
  const from = Math.max(0, offset - byWords.length);
  const [page, newest] = await Promise.all([
    readRanked(byWords.slice(offset, end)),
    listByDate(deps.store, others, 'newest', from, end - byWords.length - from),
  ]);
  // Only the scores of a keyword search compare with those of the documents before.
  const highest = query.mode === 'keyword' ? lowestScore : 0;
  return [...page.map((hit) => limitScores(hit, highest)), ...newest.map(unranked)];
}

/** Returns the ids of ranked documents, by which their passages are left out. */
async function idsOf(
  { store }: SearchDeps,
  { team }: SearchQuery,
  ranked: readonly RankedMatch[],
): Promise<readonly string[]> {
  const read = await Promise.all(
    [...Map.groupBy(ranked, ({ source }) => source)].map(([{ match, firstPassages }, entries]) =>
      store.readTraits(match.model, {
        team,
        first: firstPassages(entries.map(({ key }) => key)),
        signal: match.matched.signal,
      }),
    ),
  );
  return read.flatMap((traits) => [...traits.values()].map(({ document }) => document));
}

/** Ranks the remaining matches of a model by their words. */
async function rankByWords(
  { store }: SearchDeps,
  { query: { analyzed }, passagesPerDocument }: SearchQuery,
  { match, relevance }: RankedModel,
  except: readonly string[],
): Promise<RankedList> {
  const { words: _words, orFirst: _orFirst, ...request } = documentsOf(match);
  const [ranked, relevanceOf] = await Promise.all([
    store.rank(match.model, {
      ...request,
      except: [...(request.except ?? []), ...except],
      mode: 'keyword',
      sparse: queryWords(analyzed),
      candidates: SEARCH_LIMITS.rankedByWords,
    }),
    relevance(),
  ]);
  const { ranking, read, firstPassages } = ranked;
  const hasWords = await wordMatches(store, match.model, request, queryAlternatives(analyzed), ranked, ranking);
  return {
    match,
    firstPassages,
    ranking: ranking.filter(hasWords).map(({ key, score }) => ({
      key,
      score: normalizedScore('keyword', score),
      relevance: relevanceOf(score),
    })),
    read: async (keys) => {
      const hits = await read(keys, passagesPerDocument);
      return new Map([...hits].map(([key, hit]) => [key, withNormalizedScores('keyword', hit)]));
    },
  };
}

function limitScores(hit: FoundHit, highest: number): FoundHit {
  const limited = (score: number) => Math.min(score, highest);
  const passages = hit.passages.map((passage) => ({ ...passage, score: limited(passage.score) }));
  return { ...hit, score: limited(hit.score), passages };
}

function unranked(hit: DocumentHit): FoundHit {
  return { ...hit, relevance: 0 };
}
