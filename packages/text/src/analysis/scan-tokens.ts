import { EMOJI } from '#analysis/emoji';
import { SPACED_NUMBER } from '#analysis/numbers';
import { type SkipWord, visitWords } from '#analysis/plain-words';
import { QUANTITY } from '#analysis/quantities';

/** Characters inside a word, in any script; marks belong to the letter before them. */
const WORD = String.raw`[\p{L}\p{M}\p{N}]`;

/** A dot before a name (`.NET`, `.gitignore`), but not after a word or another dot. */
const LEADING_DOT = String.raw`(?:(?<![\p{L}\p{M}\p{N}.…])\.(?=\p{L}))?`;

/**
 * What joins two word characters: `. , ' ’ - ‑ _ @`, `&` between letters, `:` between digits, a
 * slash next to a digit.
 */
const JOINER = String.raw`['’._@\-‑]|(?<=\p{N}),(?=\p{N})|(?<=\p{N}):(?=\p{N})|(?<=\p{N})/|/(?=\p{N})|(?<=\p{L})&(?=\p{L})`;

/** The end of the name of a programming language: `C++`, `C++17`, `C#`. */
const NAME_END = String.raw`(?:(?<=\p{L})(?:\+\+\p{N}*(?![\p{L}+])|#(?![\p{L}\p{N}#])))?`;

/**
 * A token: an emoji, a quantity, or word characters with joiners between them. Joined forms stay
 * one token here (a name, an email address, a part number, a version); `split-token.ts` splits
 * them.
 */
export const TOKEN = new RegExp(
  `${EMOJI}|${QUANTITY}|${SPACED_NUMBER}(?![.,'’:/-]?[\\p{L}\\p{N}])|${LEADING_DOT}${WORD}+(?:(?:${JOINER})${WORD}+)*${NAME_END}`,
  'gu',
);

/**
 * Visits the tokens of `text` in order. `start` and `end` are UTF-16 offsets into the original
 * `text`: normalization happens later, token by token. Plain words are read without the pattern;
 * `isSkipped` can leave them out.
 */
export function scanTokens(
  text: string,
  visit: (token: string, start: number, end: number) => void,
  isSkipped?: SkipWord,
): void {
  visitWords(text, TOKEN, visit, isSkipped);
}
