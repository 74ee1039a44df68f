/** What a character can mean for tokens. `OTHER` is everything that only the full pattern decides. */
const OTHER = 0;
const LETTER = 1;
const SPACE = 2;
/** No token contains or starts with it, and a word of letters ends before it. */
const GAP = 3;
const DOT = 4;

/** The kind of each character of the Latin alphabets. */
const kinds = Uint8Array.from({ length: 0x250 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\p{L}/u.test(character)) return LETTER;
  if (/[ \t\n\r]/.test(character)) return SPACE;
  if (/[,;:!?()[\]{}"<>|=]/.test(character)) return GAP;
  return character === '.' ? DOT : OTHER;
});

function kindAt(text: string, at: number): number {
  return kinds[text.charCodeAt(at)] ?? OTHER;
}

/** Reports whether the character is between tokens, whatever is around it. */
export function isBetweenTokens(text: string, at: number): boolean {
  const kind = kindAt(text, at);
  return kind === SPACE || kind === GAP || (kind === DOT && endsSentence(text, at));
}

/** A dot that joins nothing: neither `v1.2` nor `.NET`. */
function endsSentence(text: string, dot: number): boolean {
  return dot + 1 >= text.length || kindAt(text, dot + 1) === SPACE;
}

/**
 * Returns the end of the word that starts at `start`, if it consists of letters and nothing next to
 * it can belong to its token; otherwise undefined. Most words of a text are plain.
 */
export function plainWordEnd(text: string, start: number): number | undefined {
  let end = start;
  while (kindAt(text, end) === LETTER) end++;
  if (end === start) return undefined;
  if (end === text.length) return end;
  const after = kindAt(text, end);
  if (after === GAP || (after === DOT && endsSentence(text, end))) return end;
  if (after !== SPACE) return undefined;
  // A number after the space can belong to the token: `USD 5`.
  return end + 1 === text.length || kindAt(text, end + 1) !== OTHER ? end : undefined;
}
