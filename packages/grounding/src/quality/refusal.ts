const REFUSALS: readonly RegExp[] = [
  /\b(?:could|can|was) ?(?:not|n['’]t) (?:able to )?(?:find|answer|determine)\b/iu,
  /\b(?:unable|not able) to (?:find|answer|determine)\b/iu,
  /\b(?:no|not enough|insufficient) (?:information|answer|mention|evidence|details?)\b.*\b(?:document|source|passage|context|provided|available|found)/iu,
  /\b(?:documents?|sources?|passages?|context)\b.*\b(?:do|does|did|is|are) ?(?:not|n['’]t) (?:say|mention|contain|state|provide|cover|include|specify|address)/iu,
  /\bI do(?:n['’]t| not) know\b/iu,
  /\b(?:keine|nicht genügend) (?:antwort|information(?:en)?|angaben?)\b/iu,
  /\bnicht (?:beantworten|finden|gefunden)\b/iu,
];

/**
 * Returns whether the first sentence of a reply states that there is no answer. A later one only
 * limits an answer.
 */
export function isRefusal(reply: string): boolean {
  const [first = ''] = reply.trim().split(/(?<=[.!?])\s+|\n/u);
  return REFUSALS.some((pattern) => pattern.test(first));
}
