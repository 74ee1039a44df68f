import type { Ranking } from '#search/run-legs';
import type { FoundPassage, Fusion, LegScores, LegWeights } from '#search/search-request';

/** A passage found by at least one leg. */
export interface Candidate {
  readonly id: string;
  readonly document: string;
  readonly score: number;
  /** The score of each leg that found it. */
  readonly scores: LegScores;
}

type LegName = Ranking['name'];

/**
 * The scaled score of a leg's last passage, so that it ranks above passages that the leg did not
 * find.
 */
const LAST = 0.01;

/**
 * The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): each leg adds `1 /
 * (60 + rank)`, with ranks from 1.
 */
const RANK_CONSTANT = 60;

/** How the rankings are combined. */
export interface FusionSettings {
  readonly fusion: Fusion;
  readonly weights: LegWeights;
}

/**
 * Combines the rankings, in no order. With a fusion, 1 is the score of a passage that is first in
 * every leg; without one, scores stay the leg's own. Rankings of one leg in several spaces are
 * merged, because their scores are all cosines.
 */
export function fuse(rankings: readonly Ranking[], settings: FusionSettings | undefined): Candidate[] {
  const legs = [...Map.groupBy(rankings, ({ name }) => name)].map(([name, parts]) => ({
    name,
    passages: merge(parts),
  }));
  const best = settings ? legs.reduce((sum, { name }) => sum + mostOf(name, settings), 0) : 1;
  const candidates = new Map<string, Candidate>();
  for (const { name, passages } of legs) {
    const shareOf = settings ? sharesOf(name, passages, settings) : (score: number) => score;
    for (const [rank, { id, document, score }] of passages.entries()) {
      const known = candidates.get(id);
      candidates.set(id, {
        id,
        document,
        score: (known?.score ?? 0) + shareOf(score, rank) / best,
        scores: { ...known?.scores, [name]: score },
      });
    }
  }
  return [...candidates.values()];
}

/** Returns a leg's contribution to a passage by score and rank (from 0). */
function sharesOf(
  name: LegName,
  passages: readonly FoundPassage[],
  { fusion, weights }: FusionSettings,
): (score: number, rank: number) => number {
  if (fusion === 'rank') return (_score, rank) => 1 / (RANK_CONSTANT + rank + 1);
  const weight = weights[name];
  const highest = passages.at(0)?.score ?? 0;
  const lowest = passages.at(-1)?.score ?? 0;
  const range = highest - lowest;
  return (score) => weight * (range === 0 ? 1 : LAST + (1 - LAST) * ((score - lowest) / range));
}

/** Returns a leg's contribution to its first passage. */
function mostOf(name: LegName, { fusion, weights }: FusionSettings): number {
  return fusion === 'rank' ? 1 / (RANK_CONSTANT + 1) : weights[name];
}

/**
 * Sorts best first, equal scores by id. A passage that is moving between two spaces can be in both,
 * so the better rank counts.
 */
function merge(parts: readonly Ranking[]): FoundPassage[] {
  const passages = parts.flatMap(({ passages }) => passages);
  passages.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  if (parts.length === 1) return passages;
  const seen = new Set<string>();
  return passages.filter(({ id }) => !seen.has(id) && seen.add(id));
}
