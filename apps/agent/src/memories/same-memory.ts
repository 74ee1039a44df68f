import { detectLanguage, extractTerms } from '@lectern/text';

/** The minimum ratio of distinct terms for one memory to be contained in the other. */
const MIN_SHARE = 0.7;

/** Texts whose lengths differ more cannot share enough terms. */
const MIN_LENGTH_SHARE = 0.4;

/** Negations, which stopword lists would drop. */
const NEGATION =
  /\b(?:not|no|never|none|nobody|nothing|without|nor|cannot|except|unless|nicht|kein\w*|nie(?:mals)?|ohne|ne|pas|jamais|sans|nunca|sin|mai|non|senza|não|nem|sem|niet|geen|nooit|zonder)\b|n['’]t\b/giu;
const NUMBER = /\p{N}+/gu;
/** "10:00" and "10" are the same hour. */
const FULL_HOUR = /(\d):00\b/g;

/** Terms that carry no information in a memory. */
const IGNORED_TERMS: ReadonlySet<string> = new Set(['user', 'users', 'pleas', 'realli', 'veri']);
/** Synonyms of "prefer". */
const PREFERS = /\b(?:prefers?|preferred|likes?|loves?|favou?rs?)\b/gi;

const normalize = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(FULL_HOUR, '$1').replaceAll(PREFERS, 'prefer');

const all = (text: string, pattern: RegExp): string => (text.match(pattern) ?? []).toSorted().join(' ');

/**
 * Returns whether two memories are the same except for word forms and order, or a small addition.
 * Losing a memory to a wrong merge is worse than storing it twice, so a different number, negation
 * or content word makes them different.
 */
export function isSameMemory(a: string, b: string): boolean {
  const [one, two] = [normalize(a), normalize(b)];
  if (one === two) return true;
  if (Math.min(one.length, two.length) < MIN_LENGTH_SHARE * Math.max(one.length, two.length)) return false;
  if (all(one, NUMBER) !== all(two, NUMBER) || all(one, NEGATION) !== all(two, NEGATION)) return false;
  const language = detectLanguage(one.length > two.length ? one : two);
  const [left, right] = [one, two].map(
    (text) => new Set(extractTerms(text, language).filter((term) => !IGNORED_TERMS.has(term))),
  );
  if (left === undefined || right === undefined || left.size === 0 || right.size === 0) return false;
  const [small, large] = left.size < right.size ? [left, right] : [right, left];
  return small.size >= MIN_SHARE * large.size && [...small].every((term) => large.has(term));
}
