import type { Candidate } from '@lectern/grounding';

/** Units by document in the order in which the documents first come, and within a document as they stand in it. */
export function inReadingOrder(units: readonly Candidate[]): Candidate[][] {
  const bySource = new Map<string, Candidate[]>();
  for (const unit of units) bySource.set(unit.source.id, [...(bySource.get(unit.source.id) ?? []), unit]);
  return [...bySource.values()].map((group) => group.sort((a, b) => a.documentStart - b.documentStart));
}
