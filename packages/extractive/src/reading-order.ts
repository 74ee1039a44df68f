import type { Candidate } from '@lectern/grounding';

/** Groups units by document, in order of first occurrence, and sorts each group by position. */
export function inReadingOrder(units: readonly Candidate[]): Candidate[][] {
  const bySource = new Map<string, Candidate[]>();
  for (const unit of units) bySource.set(unit.source.id, [...(bySource.get(unit.source.id) ?? []), unit]);
  return [...bySource.values()].map((group) => group.sort((a, b) => a.documentStart - b.documentStart));
}
