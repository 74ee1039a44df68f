import { addsTerm, type Candidate, type Question, type ScoredCandidate, wantsQuantity } from '@lectern/grounding';

/** How many sentences before and after the best one can contain the quantity that a question asks for. */
const QUANTITY_REACH = 3;

/**
 * Adds sentences of the same paragraph, because one fact often needs several: the adjacent ones that mention terms of
 * the question that the best one lacks, and near ones with the quantity that the question asks for and the best one
 * lacks.
 */
export function addNeighbors(
  best: ScoredCandidate,
  scored: readonly ScoredCandidate[],
  question: Question,
): readonly Candidate[] {
  const { candidate, own } = best;
  if (candidate.unit.kind !== 'sentence') return [candidate];
  const entryOf = (neighbor: Candidate | undefined) => scored.find((other) => other.candidate === neighbor);
  const adds = (neighbor: Candidate | undefined): boolean => {
    const entry = entryOf(neighbor);
    return entry !== undefined && addsTerm(entry.own, own);
  };
  const needsQuantity = wantsQuantity(question.expected) && best.evidence < 1;
  const hasQuantity = (neighbor: Candidate) => needsQuantity && entryOf(neighbor)?.evidence === 1;
  const before = reach(candidate, ({ previous }) => previous).filter(
    (neighbor) => hasQuantity(neighbor) || (neighbor === candidate.previous && adds(neighbor)),
  );
  const after = reach(candidate, ({ next }) => next).filter(
    (neighbor) => hasQuantity(neighbor) || (neighbor === candidate.next && adds(neighbor)),
  );
  return [...before.reverse(), candidate, ...after];
}

/** Returns the candidates in one direction, nearest first. */
function reach(from: Candidate, step: (at: Candidate) => Candidate | undefined): Candidate[] {
  const reached: Candidate[] = [];
  for (let at = step(from); at !== undefined && reached.length < QUANTITY_REACH; at = step(at)) reached.push(at);
  return reached;
}
