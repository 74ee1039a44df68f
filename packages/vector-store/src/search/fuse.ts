import type { FoundPassage, Ranking } from '#search/run-legs';
import type { Fusion, LegScores, LegWeights } from '#search/search-request';

/** A passage that one leg or more found. */
export interface Candidate {
  readonly id: string;
  readonly document: string;
  readonly score: number;
  /** What each leg that found it gives it. */
  readonly scores: LegScores;
}

type LegName = Ranking['name'];

/** What a leg's last passage keeps in the sum, so that it stays ahead of what the leg did not find. */
const LAST = 0.01;

/**
 * The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): a passage gets `1 / (60 + rank)` of each leg, ranks from 1.
 */
const RANK_CONSTANT = 60;

/** How legs become one ranking. */
export interface FusionSettings {
  readonly fusion: Fusion;
  readonly weights: LegWeights;
}

/**
 * Makes one ranking of the legs' rankings, in no order yet. With a fusion scores run to 1, which is first in every leg; without one they stay the
 * leg's own. Rankings of one leg in several spaces are taken together: their scores are cosines alike.
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

/** What a leg adds to a passage of some score and rank (from 0). */
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

/** What a leg adds to its first passage. */
function mostOf(name: LegName, { fusion, weights }: FusionSettings): number {
  return fusion === 'rank' ? 1 / (RANK_CONSTANT + 1) : weights[name];
}

/** Best first, equals by id. A passage that was moved between two spaces at that moment may stand in both: the better place counts. */
function merge(parts: readonly Ranking[]): FoundPassage[] {
  const passages = parts.flatMap(({ passages }) => passages);
  passages.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  if (parts.length === 1) return passages;
  const seen = new Set<string>();
  return passages.filter(({ id }) => !seen.has(id) && seen.add(id));
}
