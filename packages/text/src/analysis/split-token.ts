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

const NUMBER = /^\p{N}+(?:[.,]\p{N}+)*$/u;
const POSSESSIVE = /['’]s$/;

/**
 * Elided articles and similar words of French, Italian and Catalan: `l'usine`, `dell'anno`,
 * `qu'elle`.
 */
const ELIDED = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|gl|(?:d|n)?all|dell|nell|sull|quell|quest)['’](?=\p{L}{2})/u;
const APOSTROPHES = /['’]/g;
const JOINERS = /[._@\-‑,]+/;
const OUTER_JOINERS = /^[._@\-‑,'’]+|[._@\-‑,'’]+$/g;
const JOINERS_AND_SLASH = /[._@\-‑,/]+/;
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
 * - a number is one term without thousands separators (`1,000` is `1000`, `2.5` stays),
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
  const segments = token.split('/');
  const parts = segments.flatMap(splitSegment);
  if (segments.length === 1) return parts;
  const whole = LETTER.test(token) ? token.split(JOINERS_AND_SLASH).join('') : token;
  return whole.length <= MAX_WORD_LENGTH && !hasUnspacedScript(whole)
    ? [...parts, { kind: 'exact', text: whole }]
    : parts;
}

function splitSegment(token: string): TokenPart[] {
  if (!hasUnspacedScript(token)) return splitSpaced(token);
  return splitByScript(token).flatMap((run) => {
    if (hasUnspacedScript(run)) return unspacedTerms(run).map((text): TokenPart => ({ kind: 'exact', text }));
    const word = run.replace(OUTER_JOINERS, '');
    return word === '' ? [] : splitSpaced(word);
  });
}

function splitSpaced(token: string): TokenPart[] {
  if (NUMBER.test(token)) return [{ kind: 'exact', text: token.replaceAll(',', '') }];
  const plain = token.replace(ELIDED, '').replace(POSSESSIVE, '').replace(APOSTROPHES, '');
  const pieces = plain.split(JOINERS).filter(Boolean);
  const joined = pieces.join('');
  if (pieces.length === 1) return pieces.map(asPart);
  const numbers = [...plain.matchAll(DOTTED_NUMBER)].flatMap(([, number = '']) =>
    number.length <= MAX_WORD_LENGTH ? [number] : [],
  );
  const words = numbers.length === 0 ? pieces : plain.replace(DOTTED_NUMBER, '.').split(JOINERS).filter(Boolean);
  const parts = words.map(asPart);
  if (joined.length <= MAX_WORD_LENGTH) {
    parts.push({ kind: 'exact', text: joined });
    const unmarked = joined.replace(VERSION, '');
    if (unmarked !== joined && LETTER.test(unmarked)) parts.push({ kind: 'exact', text: unmarked });
  }
  for (const number of numbers) parts.push({ kind: 'exact', text: number });
  if (numbers.length > 0) parts.push(...pieces.map((piece): TokenPart => ({ ...asPart(piece), isIndexedOnly: true })));
  return parts;
}

function asPart(text: string): TokenPart {
  return { kind: text.length > MAX_WORD_LENGTH || HAS_DIGIT.test(text) ? 'exact' : 'word', text };
}
