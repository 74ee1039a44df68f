import { detectLanguage, extractTerms } from '@lectern/text';

/** How much shorter one may be, in distinct terms, to be contained in the other rather than only touch on it. */
const MIN_SHARE = 0.7;

/** Texts of lengths further apart cannot share that much; comparing them would only take time. */
const MIN_LENGTH_SHARE = 0.4;

/** Words that turn a sentence around, in the languages where stopword lists would drop them. */
const NEGATION =
  /\b(?:not|no|never|none|nobody|nothing|without|nor|cannot|except|unless|nicht|kein\w*|nie(?:mals)?|ohne|ne|pas|jamais|sans|nunca|sin|mai|non|senza|não|nem|sem|niet|geen|nooit|zonder)\b|n['’]t\b/giu;
const NUMBER = /\p{N}+/gu;
/** Full hours are written both ways. */
const FULL_HOUR = /(\d):00\b/g;

/** Who is spoken of, where it is always the same; and one stance under several words. */
const IDLE_TERMS: ReadonlySet<string> = new Set(['user', 'users', 'pleas', 'realli', 'veri']);
const STANCE = /\b(?:prefers?|preferred|likes?|loves?|favou?rs?)\b/gi;

const normalize = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(FULL_HOUR, '$1').replaceAll(STANCE, 'prefer');

const all = (text: string, pattern: RegExp): string => (text.match(pattern) ?? []).toSorted().join(' ');

/**
 * True for two memories that say the same in other words' forms or order, or of which one only adds a little to the other. A memory that is lost
 * to a wrong merge is worse than one that stands twice: where a number, a negation or any other content word differs, they are two.
 */
export function saysTheSame(a: string, b: string): boolean {
  const [one, two] = [normalize(a), normalize(b)];
  if (one === two) return true;
  if (Math.min(one.length, two.length) < MIN_LENGTH_SHARE * Math.max(one.length, two.length)) return false;
  if (all(one, NUMBER) !== all(two, NUMBER) || all(one, NEGATION) !== all(two, NEGATION)) return false;
  const language = detectLanguage(one.length > two.length ? one : two);
  const [left, right] = [one, two].map(
    (text) => new Set(extractTerms(text, language).filter((term) => !IDLE_TERMS.has(term))),
  );
  if (left === undefined || right === undefined || left.size === 0 || right.size === 0) return false;
  const [small, large] = left.size < right.size ? [left, right] : [right, left];
  return small.size >= MIN_SHARE * large.size && [...small].every((term) => large.has(term));
}
