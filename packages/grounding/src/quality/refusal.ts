import type { CitationEvent } from '#citations/reply-event';
import { MESSAGES } from '#messages/catalog';
import { squeeze } from '#quality/cited-text';

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

const STARTS_WITH_FIXED_REFUSAL = startsWith(FIXED_REFUSALS);
const STARTS_CAUTIOUSLY = startsWith(['mayAnswer']);

/** Returns an expression for texts that start with one of these messages in any language. */
function startsWith(keys: readonly ('mayAnswer' | (typeof FIXED_REFUSALS)[number])[]): RegExp {
  const patterns = Object.values(MESSAGES).flatMap((messages) => keys.map((key) => patternOf(messages[key])));
  return new RegExp(`^(?:${patterns.join('|')})`, 'u');
}

/** Returns the pattern of a message, with any text instead of its placeholders. */
function patternOf(message: string): string {
  return message
    .split(/\{\w+\}/)
    .map((text) => text.replace(/[.?()[\]{}|^$*+\\]/g, '\\$&'))
    .join('.+?');
}

/**
 * Returns whether the first sentence of a reply states that there is no answer. A later one only
 * limits an answer, and a quoted one is the document's.
 */
export function isRefusal(reply: string, citations: readonly CitationEvent[] = []): boolean {
  const text = hideQuotes(reply, citations).trim();
  if (STARTS_WITH_FIXED_REFUSAL.test(text)) return true;
  const [first = ''] = text.split(/(?<=[.!?])\s+|\n/u);
  return REFUSALS.some((pattern) => pattern.test(first));
}

/** Returns whether a reply starts by stating that it is only a possible answer. */
export function isCautious(reply: string): boolean {
  return STARTS_CAUTIOUSLY.test(reply.trimStart());
}

/** Replaces the letters of quotes, so that sentences stay where they are. */
function hideQuotes(reply: string, citations: readonly CitationEvent[]): string {
  return citations.reduce((text, { textStart, textEnd, quote }) => {
    const cited = reply.slice(textStart, textEnd);
    if (!squeeze(quote).includes(squeeze(cited))) return text;
    return text.slice(0, textStart) + cited.replace(/[\p{L}\p{M}]/gu, hide) + text.slice(textEnd);
  }, reply);
}

const hide = (letter: string): string => '_'.repeat(letter.length);
