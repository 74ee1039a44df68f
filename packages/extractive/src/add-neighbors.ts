import { addsTerm, type Candidate, type ScoredCandidate } from '@lectern/grounding';

/**
 * Adds the adjacent sentences that mention terms of the question that the best one lacks, because
 * one fact often needs two sentences.
 */
export function addNeighbors(best: ScoredCandidate, scored: readonly ScoredCandidate[]): Candidate[] {
  const { candidate, own } = best;
  const { previous, next, unit } = candidate;
  if (unit.kind !== 'sentence') return [candidate];
  const adds = (neighbor: Candidate | undefined): Candidate[] => {
    const entry = scored.find((other) => other.candidate === neighbor);
    return entry !== undefined && addsTerm(entry.own, own) ? [entry.candidate] : [];
  };
  return [...adds(previous), candidate, ...adds(next)];
}
