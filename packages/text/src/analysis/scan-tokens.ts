import { EMOJI } from '#analysis/emoji';
import { isBetweenTokens, plainWordEnd } from '#analysis/plain-words';

/** Characters inside a word, in any script; marks belong to the letter before them. */
const WORD = String.raw`[\p{L}\p{M}\p{N}]`;

/**
 * A token: an emoji, or word characters, joined if one of `. , ' ’ - ‑ _ @`, or a slash next to a
 * digit, is between two of them. Joined forms stay one token here (a name, an email address, a
 * part number, a version); `split-token.ts` splits them.
 */
export const TOKEN = new RegExp(
  String.raw`${EMOJI}|${WORD}+(?:(?:['’._@\-‑]|(?<=\p{N}),(?=\p{N})|(?<=\p{N})/|/(?=\p{N}))${WORD}+)*`,
  'gu',
);

/**
 * Visits the tokens of `text` in order. `start` and `end` are UTF-16 offsets into the original
 * `text`: normalization happens later, token by token. Plain words are read without the pattern.
 */
export function scanTokens(text: string, visit: (token: string, start: number, end: number) => void): void {
  for (let at = 0; at < text.length; ) {
    if (isBetweenTokens(text, at)) {
      at++;
      continue;
    }
    const start = at;
    const end = plainWordEnd(text, start);
    if (end !== undefined) {
      at = end;
      visit(text.slice(start, end), start, end);
      continue;
    }
    TOKEN.lastIndex = start;
    const match = TOKEN.exec(text);
    if (match === null) return;
    at = TOKEN.lastIndex;
    visit(match[0], match.index, at);
  }
}
