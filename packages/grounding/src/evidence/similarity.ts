import type { Candidate } from '#evidence/candidates';

/**
 * Returns the similarity of two units: shared terms divided by the terms of the shorter, 0 to 1.
 */
export function overlap(a: Candidate, b: Candidate): number {
  const first = new Set(a.terms);
  const second = new Set(b.terms);
  const shared = [...first].filter((term) => second.has(term)).length;
  return shared / Math.max(1, Math.min(first.size, second.size));
}
