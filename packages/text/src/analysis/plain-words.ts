/** What a character can mean for words. `OTHER` is everything that only the pattern decides. */
const OTHER = 0;
const LETTER = 1;
const SPACE = 2;
/** No word contains or starts with it, and a word of letters ends before it. */
const GAP = 3;
const DOT = 4;
/** Behind the end of the text. */
const END = 5;

const LATIN = 0x250;

/** The kind of each UTF-16 unit. Beyond the Latin alphabets, all are `OTHER`. */
const kinds = new Uint8Array(0x10000);
for (let code = 0; code < LATIN; code++) {
  const character = String.fromCharCode(code);
  if (/\p{L}/u.test(character)) kinds[code] = LETTER;
  else if (/[ \t\n\r]/.test(character)) kinds[code] = SPACE;
  else if (/[,;:!?()[\]{}"<>|=]/.test(character)) kinds[code] = GAP;
  else if (character === '.') kinds[code] = DOT;
}

function kindAt(text: string, at: number): number {
  return at < text.length ? (kinds[text.charCodeAt(at)] ?? OTHER) : END;
}

/** Reports whether the character is between words, whatever is around it. */
function isBetweenWords(text: string, at: number): boolean {
  const kind = kindAt(text, at);
  return kind === SPACE || kind === GAP || (kind === DOT && endsSentence(text, at));
}

/** A dot that joins nothing: neither `v1.2` nor `.NET`. */
function endsSentence(text: string, dot: number): boolean {
  const next = kindAt(text, dot + 1);
  return next === END || next === SPACE;
}

/**
 * Returns the end of the word that starts at `start`, if it consists of letters and nothing next to
 * it can belong to it; otherwise -1. Most words of a text are plain.
 */
function plainWordEnd(text: string, start: number): number {
  let end = start;
  while (kindAt(text, end) === LETTER) end++;
  if (end === start) return -1;
  const after = kindAt(text, end);
  if (after === END || after === GAP || (after === DOT && endsSentence(text, end))) return end;
  if (after !== SPACE) return -1;
  // A number after the space can belong to the word: `USD 5`.
  return kindAt(text, end + 1) === OTHER ? -1 : end;
}

/** Reports whether a plain word is of no interest. */
export type SkipWord = (text: string, start: number, end: number) => boolean;

/**
 * Visits the matches of a global `pattern` for which plain words are always matches, and finds
 * those without the pattern. `isSkipped` can leave out plain words.
 */
export function visitWords(
  text: string,
  pattern: RegExp,
  visit: (word: string, start: number, end: number) => void,
  isSkipped?: SkipWord,
): void {
  for (let at = 0; at < text.length; ) {
    if (isBetweenWords(text, at)) {
      at++;
      continue;
    }
    const start = at;
    const end = plainWordEnd(text, start);
    if (end !== -1) {
      at = end;
      if (!isSkipped?.(text, start, end)) visit(text.slice(start, end), start, end);
      continue;
    }
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (match === null) return;
    at = pattern.lastIndex;
    visit(match[0], match.index, at);
  }
}
