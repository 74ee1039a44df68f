import { readNumber } from '#analysis/numbers';
import { hasUnspacedScript, splitByScript, unspacedTerms } from '#analysis/unspaced-scripts';

/**
 * A part of a token: a `word` is stemmed and compared with the stopwords, an `exact` part is a term
 * without changes.
 */
export interface TokenPart {
  readonly kind: 'word' | 'exact';
  readonly text: string;
  /**
   * Indexed but not searched for: the single numbers of a version occur in most other versions too.
   */
  readonly isIndexedOnly?: boolean;
}

const NUMBER = /^\p{N}+(?:[.,'’ \u00A0\u2009\u202F]\p{N}+)*$/u;
/** A time or a ratio: `10:30`. */
const COLON_NUMBERS = /^\p{N}+(?::\p{N}+)+$/u;
const PLAIN_SPACE = / /;
const NUMBER_JOINERS = /[.,'’ \u00A0\u2009\u202F]+/;
/** The name of a programming language: its letters, then what ends it. */
const NAME = /^(.*\p{L})(?:(\+\+)(\p{N}*)|(#))$/u;
/** Up to this length, a name that ends with a sign is a different word without it: `C#`, `F#`. */
const MAX_SHARP = 2;
/** A file extension or the last part of a host name. */
const EXTENSION = /[\p{L}\p{N}](\.[a-z]{1,4})$/u;
/** Up to this length, a name with a leading dot is a different word without it: `.NET`. */
const MAX_DOTTED = 4;
const POSSESSIVE = /['’]s$/;

/**
 * Elided articles and similar words of French, Italian and Catalan: `l'usine`, `dell'anno`,
 * `qu'elle`.
 */
const ELIDED = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|gl|(?:d|n)?all|dell|nell|sull|quell|quest)['’](?=\p{L}{2})/u;
const APOSTROPHES = /['’]/g;
const JOINERS = /[._@\-‑,&:]+/;
const OUTER_JOINERS = /^[._@\-‑,'’]+|[._@\-‑,'’]+$/g;
const JOINERS_AND_SLASH = /[._@\-‑,/:]+/;
const HAS_DIGIT = /\p{N}/u;

/**
 * A version or another number with several parts, anywhere in a token; a leading `v` is not part of
 * it.
 */
const DOTTED_NUMBER = /(?<![\p{L}\p{N}])v?(\p{N}+(?:\.\p{N}+)+)/gu;
const VERSION = /^v(?=\p{N})/u;
const LETTER = /\p{L}/u;

/**
 * No natural word is longer. Longer ones, mostly encoded data, are neither joined nor stemmed: the
 * time of stemmers is quadratic.
 */
const MAX_WORD_LENGTH = 64;

/**
 * Splits a normalized token:
 * - a number is one term in each way to read it (`1,000` is `1000`, `2.5` stays, `1.000` is both),
 * - a time is one term (`10:30`), and so is the name of a programming language (`c++`, `c#`,
 *   `.net`), which differs from the name without its sign,
 * - an elided article is removed (`l'usine` is `usine`),
 * - apostrophes are removed, with the possessive s (`firm's` is `firm`, `don't` is `dont`),
 * - joined forms return their parts and the whole without joiners, so that `e-mail` matches `email`
 *   and `ERR-1042` matches `err1042`,
 * - a version returns its number as one term and the whole without the `v`, so that `v2.3.1-rc.1`
 *   matches `2.3.1` and `2.3.1-rc.1`,
 * - a token with a slash returns the parts of both sides and the whole; numbers keep the slash, so
 *   that `24/7` is not `247`,
 * - scripts without spaces return runs of characters.
 */
export function splitToken(token: string): TokenPart[] {
  return splitNumber(token) ?? splitName(token) ?? splitSlashes(token);
}

const exact = (text: string): TokenPart => ({ kind: 'exact', text });
const indexedOnly = (part: TokenPart): TokenPart => ({ ...part, isIndexedOnly: true });

function splitNumber(token: string): TokenPart[] | undefined {
  if (COLON_NUMBERS.test(token)) return [exact(token), ...token.split(':').map(exact).map(indexedOnly)];
  if (!NUMBER.test(token)) return undefined;
  const readings = readNumber(token);
  // The parts of a list, or what may be two numbers side by side.
  const areNumbersApart = readings.length === 0 || PLAIN_SPACE.test(token);
  return [...readings, ...(areNumbersApart ? token.split(NUMBER_JOINERS) : [])].map(exact);
}

function splitName(token: string): TokenPart[] | undefined {
  if (!/[+#.]/.test(token)) return undefined;
  const [, name = '', plus, version = '', sharp] = NAME.exec(token) ?? [];
  if (plus !== undefined) {
    const whole = name + plus;
    const versioned = version === '' ? [] : [exact(whole + version)];
    return [exact(whole), ...versioned, ...(name.length > 1 ? splitSlashes(name) : [])];
  }
  if (sharp !== undefined) return name.length <= MAX_SHARP ? [exact(token)] : splitSlashes(name);
  if (!token.startsWith('.')) return undefined;
  const parts = splitSlashes(token.slice(1));
  const isShort = token.length <= MAX_DOTTED + 1 && parts.length === 1;
  return [exact(token), ...(isShort ? parts.map(indexedOnly) : parts)];
}

function splitSlashes(token: string): TokenPart[] {
  const segments = token.split('/');
  const parts = segments.flatMap(splitSegment);
  if (segments.length === 1) return parts;
  const whole = LETTER.test(token) ? token.split(JOINERS_AND_SLASH).join('') : token;
  return whole.length <= MAX_WORD_LENGTH && !hasUnspacedScript(whole) ? [...parts, exact(whole)] : parts;
}

function splitSegment(token: string): TokenPart[] {
  if (!hasUnspacedScript(token)) return splitSpaced(token);
  return splitByScript(token).flatMap((run) => {
    if (hasUnspacedScript(run)) return unspacedTerms(run).map(exact);
    const word = run.replace(OUTER_JOINERS, '');
    return word === '' ? [] : splitSpaced(word);
  });
}

function splitSpaced(token: string): TokenPart[] {
  if (NUMBER.test(token)) return splitNumber(token) ?? [];
  const plain = token.replace(ELIDED, '').replace(POSSESSIVE, '').replace(APOSTROPHES, '');
  const pieces = plain.split(JOINERS).filter(Boolean);
  if (pieces.length === 1) return pieces.map(asPart);
  if (plain.includes('&')) return splitAmpersand(plain, pieces);
  const joined = pieces.join('');
  const numbers = [...plain.matchAll(DOTTED_NUMBER)].flatMap(([, number = '']) =>
    number.length <= MAX_WORD_LENGTH ? [number] : [],
  );
  const words = numbers.length === 0 ? pieces : plain.replace(DOTTED_NUMBER, '.').split(JOINERS).filter(Boolean);
  const parts = words.map(asPart);
  const [, extension] = EXTENSION.exec(plain) ?? [];
  if (extension !== undefined) parts.push(indexedOnly(exact(extension)));
  if (joined.length <= MAX_WORD_LENGTH) {
    parts.push(exact(joined));
    // A query can write it as one word, which has a stem.
    if (!HAS_DIGIT.test(joined)) parts.push(indexedOnly(asPart(joined)));
    const unmarked = joined.replace(VERSION, '');
    if (unmarked !== joined && LETTER.test(unmarked)) parts.push(exact(unmarked));
  }
  for (const number of numbers) parts.push(exact(number));
  if (numbers.length > 0) parts.push(...pieces.map(asPart).map(indexedOnly));
  return parts;
}

/** `R&D` is one term. A query for it does not look for its letters. */
function splitAmpersand(token: string, pieces: readonly string[]): TokenPart[] {
  const whole = token.length <= MAX_WORD_LENGTH ? [exact(token)] : [];
  return [...whole, ...pieces.map((piece) => (piece.length <= 2 ? indexedOnly(asPart(piece)) : asPart(piece)))];
}

function asPart(text: string): TokenPart {
  return { kind: text.length > MAX_WORD_LENGTH || HAS_DIGIT.test(text) ? 'exact' : 'word', text };
}
