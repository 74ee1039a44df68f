import { MESSAGES } from '#messages/catalog';

/** Refusals in the words of a model. English and German. */
const REFUSALS: readonly RegExp[] = [
  /\b(?:could|can|was) ?(?:not|n['’]t) (?:able to )?(?:find|answer|determine)\b/iu,
  /\b(?:unable|not able) to (?:find|answer|determine)\b/iu,
  /\b(?:no|not enough|insufficient) (?:information|answer|mention|evidence|details?)\b.*\b(?:document|source|passage|context|provided|available|found)/iu,
  /\b(?:documents?|sources?|passages?|context)\b.*\b(?:do|does|did|is|are) ?(?:not|n['’]t) (?:say|mention|contain|state|provide|cover|include|specify|address)/iu,
  /\bI do(?:n['’]t| not) know\b/iu,
  /\b(?:keine|nicht genügend) (?:antwort|information(?:en)?|angaben?)\b/iu,
  /\bnicht (?:beantworten|finden|gefunden)\b/iu,
];

/** The fixed sentences that start a reply without an answer. */
const FIXED_REFUSALS = ['notFound', 'noDocuments', 'notYet', 'missing', 'missingSeveral'] as const;

const STARTS_WITH_FIXED_REFUSAL = new RegExp(
  `^(?:${Object.values(MESSAGES)
    .flatMap((messages) => FIXED_REFUSALS.map((key) => patternOf(messages[key])))
    .join('|')})`,
  'u',
);

/** Returns the pattern of a message, with any text instead of its placeholders. */
function patternOf(message: string): string {
  return message
    .split(/\{\w+\}/)
    .map((text) => text.replace(/[.?()[\]{}|^$*+\\]/g, '\\$&'))
    .join('.+?');
}

/**
 * Returns whether the first sentence of a reply states that there is no answer. A later one only
 * limits an answer.
 */
export function isRefusal(reply: string): boolean {
  const text = reply.trim();
  if (STARTS_WITH_FIXED_REFUSAL.test(text)) return true;
  const [first = ''] = text.split(/(?<=[.!?])\s+|\n/u);
  return REFUSALS.some((pattern) => pattern.test(first));
}
