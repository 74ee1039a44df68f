import type { Candidate } from '@lectern/grounding';

/** Openings that point back at the sentence before (English and German). */
const POINTS_BACK =
  /^(?:it|its|they|their|them|this|that|these|those|he|she|his|her|here|such|in (?:these|those|this|that|such) cases?|if (?:so|not)|otherwise|however|for example|then|er|sie|es|dies|diese[rsnm]?|dabei|dort|dazu)\b/iu;

/** Adds the sentence before a sentence that cannot be understood without it; no further back than that. */
export function withAntecedents(units: readonly Candidate[]): Candidate[] {
  const result = new Set<Candidate>();
  for (const unit of units) {
    if (unit.previous && unit.unit.kind === 'sentence' && POINTS_BACK.test(unit.unit.text)) result.add(unit.previous);
    result.add(unit);
  }
  return [...result];
}
