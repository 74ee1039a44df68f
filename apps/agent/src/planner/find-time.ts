import type { Found } from '#planner/find-arithmetic';
import { findTimeZone } from '#tools/datetime/find-time-zone';

const ASKS = new RegExp(
  [
    String.raw`\bwhat(?:'s| is) the (?:current |local |exact |present )?(?:date and time|time|date)\b(?! (?:of|for|when|by|until|limit|off|frame|span|line|between|to))`,
    String.raw`\bwhat (?:time|date|day|weekday|week)(?: of the week)? (?:is it|is today|do we have)\b`,
    String.raw`\b(?:current|local|present) (?:time|date)\b`,
    String.raw`\btime (?:is it|now)\b`,
    String.raw`\b(?:today's date|what day is (?:it|today)|which (?:day|weekday) is (?:it|today)|what is today)\b`,
    String.raw`\b(?:wie spät|wie ?viel uhr|welcher (?:wochen)?tag|welches datum|welche uhrzeit)(?: ist| haben)?(?: es| wir| heute)?\b`,
    String.raw`\btime in (?=\p{Lu})`,
  ].join('|'),
  'iu',
);

const PLACES =
  /\b(?:in|at|for)\s+((?:\p{L}[\p{L}.'’/_-]*)(?:(?:\s+|\s*,\s*|\s+and\s+|\s+und\s+)\p{L}[\p{L}.'’/_-]*){0,7})/giu;
const WORDS_OF_A_PLACE = 3;

/** Returns the places whose time a sentence asks for. Empty if it names no place. */
export function findTime(sentence: string): Found<readonly string[]> | undefined {
  const match = ASKS.exec(sentence);
  if (match === null) return undefined;
  let rest = sentence.replace(match[0], ' ');
  const places: string[] = [];
  for (const [, list = ''] of sentence.matchAll(PLACES)) {
    for (const part of list.split(/\s*,\s*|\s+(?:and|und)\s+/)) {
      const place = placeAt(part);
      if (place === undefined) continue;
      places.push(place);
      rest = rest.replace(place, ' ');
    }
  }
  return { value: [...new Set(places)], rest };
}

/**
 * Returns the longest prefix of a phrase that is a known place: "New York right now" → "New York".
 */
function placeAt(phrase: string): string | undefined {
  const words = phrase.trim().split(/\s+/);
  for (let count = Math.min(WORDS_OF_A_PLACE, words.length); count > 0; count -= 1) {
    const place = words.slice(0, count).join(' ');
    if (findTimeZone(place) !== undefined) return place;
  }
  return undefined;
}
