import { hasUnspacedScript, splitByScript, unspacedTerms } from '#analysis/unspaced-scripts';

/** What a token is made of: `word` is to be stemmed and looked up among the stopwords, `exact` is a term as it stands. */
export interface TokenPart {
  readonly kind: 'word' | 'exact';
  readonly text: string;
}

const NUMBER = /^\p{N}+(?:[.,]\p{N}+)*$/u;
const POSSESSIVE = /['’]s$/;

/** Articles and the like that French, Italian and Catalan write together with the next word: `l'usine`, `dell'anno`, `qu'elle`. */
const ELIDED = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|gl|(?:d|n)?all|dell|nell|sull|quell|quest)['’](?=\p{L}{2})/u;
const APOSTROPHES = /['’]/g;
const JOINERS = /[._@\-‑,]+/;
const HAS_DIGIT = /\p{N}/u;

/** No word of a language is longer. What is, encoded data mostly, is neither joined nor stemmed: stemmers take time in the square of its length. */
const MAX_WORD_LENGTH = 64;

/**
 * Takes a normalised token apart:
 * - a number is one term without thousands separators (`1,000` is `1000`, `2.5` stays),
 * - an elided article goes (`l'usine` is `usine`),
 * - apostrophes go, with the possessive s (`firm's` is `firm`, `don't` is `dont`),
 * - joined forms give their parts and the whole without joiners, so that `e-mail` meets `email` and `ERR-1042` meets `err1042`,
 * - scripts written without spaces give runs of characters.
 */
export function splitToken(token: string): TokenPart[] {
  if (NUMBER.test(token)) return [{ kind: 'exact', text: token.replaceAll(',', '') }];
  const pieces = token
    .replace(ELIDED, '')
    .replace(POSSESSIVE, '')
    .replace(APOSTROPHES, '')
    .split(JOINERS)
    .filter(Boolean);
  const parts = pieces.flatMap(splitPiece);
  const joined = pieces.join('');
  if (pieces.length > 1 && joined.length <= MAX_WORD_LENGTH && !hasUnspacedScript(joined)) {
    parts.push({ kind: 'exact', text: joined });
  }
  return parts;
}

function splitPiece(piece: string): TokenPart[] {
  if (!hasUnspacedScript(piece)) return [asPart(piece)];
  return splitByScript(piece).flatMap((run) =>
    hasUnspacedScript(run) ? unspacedTerms(run).map((text): TokenPart => ({ kind: 'exact', text })) : [asPart(run)],
  );
}

function asPart(text: string): TokenPart {
  return { kind: text.length > MAX_WORD_LENGTH || HAS_DIGIT.test(text) ? 'exact' : 'word', text };
}
