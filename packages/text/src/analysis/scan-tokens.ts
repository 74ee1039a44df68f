import { EMOJI } from '#analysis/emoji';

/** Characters inside a word, in any script; marks belong to the letter before them. */
const WORD = String.raw`[\p{L}\p{M}\p{N}]`;

/**
 * A token: an emoji, or word characters, joined if one of `. , ' ’ - ‑ _ @`, or a slash next to a
 * digit, is between two of them. Joined forms stay one token here (a name, an email address, a
 * part number, a version); `split-token.ts` splits them.
 */
const TOKEN = new RegExp(
  String.raw`${EMOJI}|${WORD}+(?:(?:['’._@\-‑]|(?<=\p{N}),(?=\p{N})|(?<=\p{N})/|/(?=\p{N}))${WORD}+)*`,
  'gu',
);

/**
 * Visits the tokens of `text` in order. `start` and `end` are UTF-16 offsets into the original
 * `text`: normalization happens later, token by token. (`Intl.Segmenter` does the same about 20
 * times slower.)
 */
export function scanTokens(text: string, visit: (token: string, start: number, end: number) => void): void {
  for (const match of text.matchAll(TOKEN)) {
    visit(match[0], match.index, match.index + match[0].length);
  }
}
