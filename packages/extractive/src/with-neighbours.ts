import { type Candidate, type ScoredCandidate, strengthens } from '@lectern/grounding';

/** Adds to a sentence those right beside it that say of the question what it leaves out itself: one fact is often told in two sentences. */
export function withNeighbours(best: ScoredCandidate, scored: readonly ScoredCandidate[]): Candidate[] {
  const { candidate, own } = best;
  const { previous, next, unit } = candidate;
  if (unit.kind !== 'sentence') return [candidate];
  const adds = (neighbour: Candidate | undefined): Candidate[] => {
    const entry = scored.find((other) => other.candidate === neighbour);
    return entry !== undefined && strengthens(entry.own, own) ? [entry.candidate] : [];
  };
  return [...adds(previous), candidate, ...adds(next)];
}
