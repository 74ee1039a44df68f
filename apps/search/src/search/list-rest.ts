import { queryWords } from '@lectern/embeddings';
import type { DocumentHit } from '@lectern/vector-store';
import { SEARCH_LIMITS } from '#limits';
import { documentsOf, type ModelMatch } from '#match/model-match';
import { eachDocumentOnce } from '#search/each-document-once';
import { listNewest } from '#search/list-newest';
import { type FoundHit, readPage } from '#search/read-page';
import { normalizedScore } from '#search/scores';
import type { MatchedDocument, ModelRanking, SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/** Part of a list, end exclusive. */
interface Span {
  readonly offset: number;
  readonly end: number;
}

/** What was ranked already. */
interface Ranked {
  readonly rankings: readonly ModelRanking[];
  readonly matches: readonly ModelMatch[];
  readonly ranked: readonly MatchedDocument[];
}

/**
 * Lists the matches that were not ranked: first by keyword score, at most
 * `SEARCH_LIMITS.rankedByWords` passages of each model, then newest first.
 */
export async function listRest(
  deps: SearchDeps,
  query: SearchQuery,
  { rankings, matches, ranked }: Ranked,
  { offset, end }: Span,
  signal: AbortSignal,
): Promise<FoundHit[]> {
  const byWords = await rankByWords(deps, query, rankings, ranked);
  const page = await readPage(deps, query, byWords.slice(offset, end), signal);
  const known = [...ranked, ...byWords].map(({ document }) => document);
  const others = matches.map((match) => {
    const request = documentsOf(match);
    return { model: match.model, matched: { ...request, except: [...(request.except ?? []), ...known] } };
  });
  const from = Math.max(0, offset - byWords.length);
  const newest = await listNewest(deps.store, others, from, end - byWords.length - from);
  return [...page, ...newest.map(withoutRelevance)];
}

async function rankByWords(
  { store }: SearchDeps,
  { query: { analyzed }, mode }: SearchQuery,
  rankings: readonly ModelRanking[],
  ranked: readonly MatchedDocument[],
): Promise<readonly MatchedDocument[]> {
  const sparse = queryWords(analyzed);
  const known = ranked.map(({ document }) => document);
  const found = await Promise.all(
    rankings
      .filter(({ isComplete }) => !isComplete)
      .map(async ({ match, relevanceOf }) => {
        const { model } = match;
        const { words: _words, orDocuments: _orDocuments, ...request } = documentsOf(match);
        const except = [...(request.except ?? []), ...known];
        const candidates = SEARCH_LIMITS.rankedByWords;
        const { ranking } = await store.rank(model, { ...request, except, mode: 'keyword', sparse, candidates });
        return ranking.map((document) => ({ ...document, model, relevance: relevanceOf(document.score) }));
      }),
  );
  const merged = found.flat().sort((a, b) => b.score - a.score);
  return eachDocumentOnce(merged).map((document) => {
    if (mode === 'keyword') return { ...document, score: normalizedScore(mode, document.score) };
    // A keyword score does not compare with the scores of the other ranked documents.
    return { ...document, score: 0, passages: document.passages.map((passage) => ({ ...passage, score: 0 })) };
  });
}

function withoutRelevance(hit: DocumentHit): FoundHit {
  return { ...hit, relevance: 0 };
}
