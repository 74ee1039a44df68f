import type { DocumentHit, LegScores } from '@lectern/vector-store';
import type { SearchMode } from '#search/search-query';

/** The BM25 sum that scores one half; about two of a query's rarer words in one passage. */
const HALF_BM25 = 10;

/** BM25 has no upper bound; `s / (s + 10)` maps it to 0–1, alike for every query and page, and keeps its order. */
export function keywordScore(bm25: number): number {
  return bm25 <= 0 ? 0 : bm25 / (bm25 + HALF_BM25);
}

/** The cosine; what points away from the query is as bad as what has nothing to do with it. */
export function semanticScore(cosine: number): number {
  return Math.min(1, Math.max(0, cosine));
}

/**
 * A stored score, from 0 to 1. `hybrid` speaks of ranks: 1 is first in both legs, whatever their scores; the others speak of the
 * match itself.
 */
export function normalisedScore(mode: SearchMode, score: number): number {
  if (mode === 'keyword') return keywordScore(score);
  return semanticScore(score);
}

/** Both legs' scores, each from 0 to 1; absent where the leg did not find the document. */
export function normalisedLegScores({ keyword, semantic }: LegScores): LegScores {
  return {
    ...(keyword === undefined ? {} : { keyword: keywordScore(keyword) }),
    ...(semantic === undefined ? {} : { semantic: semanticScore(semantic) }),
  };
}

/** The hit with every score from 0 to 1. */
export function withNormalisedScores(mode: SearchMode, hit: DocumentHit): DocumentHit {
  return {
    ...hit,
    score: normalisedScore(mode, hit.score),
    scores: normalisedLegScores(hit.scores),
    passages: hit.passages.map((passage) => ({ ...passage, score: normalisedScore(mode, passage.score) })),
  };
}
