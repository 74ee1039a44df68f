import type { DocumentHit, LegScores } from '@lectern/vector-store';
import type { SearchMode } from '#search/search-query';

/** The BM25 sum with a score of one half: about two rare words of the query in one passage. */
const HALF_BM25 = 10;

/**
 * Maps the unbounded BM25 score to 0–1 by `s / (s + 10)`, with the same order for every query and
 * page.
 */
export function keywordScore(bm25: number): number {
  return bm25 <= 0 ? 0 : bm25 / (bm25 + HALF_BM25);
}

/** Returns the cosine. Negative values count as unrelated. */
function semanticScore(cosine: number): number {
  return Math.min(1, Math.max(0, cosine));
}

/**
 * Maps a stored score to 0–1. In mode `hybrid` it reflects ranks: 1 is first in both legs. In other
 * modes it reflects the match itself.
 */
export function normalizedScore(mode: SearchMode, score: number): number {
  if (mode === 'keyword') return keywordScore(score);
  return semanticScore(score);
}

/** Maps the scores of both legs to 0–1; a leg that did not find the document is missing. */
function normalizedLegScores({ keyword, semantic }: LegScores): LegScores {
  return {
    ...(keyword === undefined ? {} : { keyword: keywordScore(keyword) }),
    ...(semantic === undefined ? {} : { semantic: semanticScore(semantic) }),
  };
}

/** Returns the hit with all scores mapped to 0–1. */
export function withNormalizedScores(mode: SearchMode, hit: DocumentHit): DocumentHit {
  return {
    ...hit,
    score: normalizedScore(mode, hit.score),
    scores: normalizedLegScores(hit.scores),
    passages: hit.passages.map((passage) => ({ ...passage, score: normalizedScore(mode, passage.score) })),
  };
}
