import type { Candidate } from '@lectern/grounding';

/** Starts of sentences that refer to the one before (English and German). */
const REFERS_BACK =
  /^(?:it|its|they|their|them|this|that|these|those|he|she|his|her|here|such|in (?:these|those|this|that|such) cases?|if (?:so|not)|otherwise|however|for example|then|er|sie|es|dies|diese[rsnm]?|dabei|dort|dazu)\b/iu;

/** Adds the preceding sentence of each sentence that refers to it. */
export function addAntecedents(units: readonly Candidate[]): Candidate[] {
  const result = new Set<Candidate>();
  for (const unit of units) {
    if (unit.previous && unit.unit.kind === 'sentence' && REFERS_BACK.test(unit.unit.text)) result.add(unit.previous);
    result.add(unit);
  }
  return [...result];
}
