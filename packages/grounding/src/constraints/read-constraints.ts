import { extractTerms, type Language } from '@lectern/text';
import { isYear, monthAt, readDates } from '#constraints/dates';
import { monthNames, weekdayNames } from '#constraints/month-names';
import { isRelativeYear } from '#constraints/year-relation';
import { withoutTopic } from '#evidence/topic';

/** A year, month, number or name of a question that its answer must be about. */
export type Constraint =
  | { readonly kind: 'year'; readonly text: string; readonly value: number }
  | { readonly kind: 'month'; readonly text: string; readonly value: number; readonly terms: readonly string[] }
  | NumberConstraint
  | { readonly kind: 'name'; readonly text: string; readonly words: readonly NameWord[] };

/** A number that is no year. */
export interface NumberConstraint {
  readonly kind: 'number';
  readonly text: string;
  readonly number: string;
  /** The terms of its unit: a text that mentions the number must also mention one. Empty without a unit. */
  readonly unit: readonly string[];
  /** Terms of the number with its unit: `5gb`. */
  readonly joined: readonly string[];
}

/** A word of a name. */
export interface NameWord {
  readonly text: string;
  /** Its terms: one, or the parts and the whole of a joined word. */
  readonly terms: readonly string[];
}

/** A letter or digit of a script with spaces between words. */
const CHARACTER = String.raw`(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{M}\p{N}]`;
const TOKEN = new RegExp(`[$€£]?${CHARACTER}(?:(?:${CHARACTER}|[.,'’&@/+:-])*${CHARACTER})?[%€$£]?`, 'gu');
const YEAR = /^(?:1[0-9]|20)\p{N}{2}$/u;
const DECADE = /^(?:1[0-9]|20)\p{N}0(?:['’]?s|er)$/u;
const NUMBER = /^[$€£]?\p{N}[\p{N}.,'’]*(?:%|€|\$|£)?$/u;
/** Smaller numbers are often written as words, or count what the answer lists. */
const MIN_NUMBER = 13;
const CAPITAL = /^\p{Lu}/u;
const ABBREVIATION = /^\p{Lu}{2,6}$/u;
const IDENTIFIER = /^(?=.*\p{N})(?=.*\p{L})[\p{L}\p{N}._@/-]{3,}$|^\p{Ll}+\p{Lu}/u;
/** Tokens of other forms of a number: `1st`, `5-time`, `90er`. */
const INFLECTED_NUMBER = /^\p{N}+(?:['’]?s|st|nd|rd|th|er|ten?|[-‑]\p{L}+|\p{L}{1,3})$/iu;
const SENTENCE_ENDS = '.?!:;"“„«¿¡(';
/** "I'll", "you'd". */
const CONTRACTION = /^\p{L}+['’](?:d|ll|m|re|s|ve)$/iu;
const CLOCK_TIME = /^\p{N}[\p{N}:.]*(?:[ap]\.?m\.?|h\p{N}*|uhr)(?:[-–].*)?$/iu;
/**
 * Abbreviations and short identifiers have long forms and synonyms: PTO, VPNs, R&D, 2FA. Alone they
 * are no constraint.
 */
const SHORT_FORM = /^(?:\p{Lu}{2,6}s?|(?=.*[\p{Lu}\p{N}]).{1,3}|(?=.*\p{Lu}.*\p{Lu}).{1,4}|(?=.*\p{N}).{1,4})$/u;
/** Words between the capitalized words of one name. */
const NAME_LINK = /^\s+(?:(?:of|the|de|la|le|du|des|von|van|der|den|and|&)\s+){0,2}$/u;
/** A question with more capitalized words than this share is written like a title. */
const TITLE_CASE = 0.85;
const MIN_TITLE_WORDS = 4;
const CONTEXT = 24;

/**
 * Reads what an answer to a question must mention. Names are capitalized words inside a sentence,
 * abbreviations and identifiers. German capitalizes every noun, so there only the last two count.
 */
export function readConstraints(asked: string, language: Language): Constraint[] {
  const question = withoutTopic(asked);
  const constraints: Constraint[] = [];
  const capitalsName = language !== 'de' && !isTitleCase(question);
  let lastName: { words: NameWord[]; start: number; end: number } | undefined;
  const months = monthConstraints(question, language);
  const isMonth = (token: string) => months.some(({ text }) => text === token);
  let readTo = 0;
  for (const match of question.matchAll(TOKEN)) {
    const [token] = match;
    const start = match.index;
    if (start < readTo || isMonth(token)) continue;
    const before = question.slice(0, start);
    const end = start + token.length;
    const isDecade = DECADE.test(token);
    if ((isDecade || YEAR.test(token)) && isRelativeYear(question, start, end, language)) continue;
    if (isDecade || (YEAR.test(token) && isYear(question, start, end, language))) {
      constraints.push({ kind: 'year', text: token, value: Number(token.slice(0, 4)) });
    } else if (NUMBER.test(token)) {
      const number = numberConstraint(question, start, token, language);
      if (number) constraints.push(number);
      readTo = start + (number?.text.length ?? 0);
    } else if (isName(token, before, capitalsName, language)) {
      const word = { text: token, terms: extractTerms(token, language) };
      if (word.terms.length === 0) continue;
      if (lastName && NAME_LINK.test(question.slice(lastName.end, start))) {
        lastName.words.push(word);
        lastName.end = end;
      } else {
        addName(question, lastName, constraints);
        lastName = { words: [word], start, end };
      }
    }
  }
  addName(question, lastName, constraints);
  return [...months, ...constraints];
}

function addName(
  question: string,
  name: { readonly words: readonly NameWord[]; readonly start: number; readonly end: number } | undefined,
  constraints: Constraint[],
): void {
  if (name === undefined || name.words.every(({ text }) => SHORT_FORM.test(text))) return;
  constraints.push({ kind: 'name', text: question.slice(name.start, name.end), words: name.words });
}

function isName(token: string, before: string, capitalsName: boolean, language: Language): boolean {
  if (INFLECTED_NUMBER.test(token) || CONTRACTION.test(token) || CLOCK_TIME.test(token)) return false;
  if (ABBREVIATION.test(token) || IDENTIFIER.test(token)) return true;
  const lower = token.toLowerCase();
  if (weekdayNames(language).has(lower) || monthNames(language).has(lower)) return false;
  return capitalsName && CAPITAL.test(token) && token.length > 1 && !isSentenceStart(before);
}

function isSentenceStart(before: string): boolean {
  const text = before.trimEnd();
  return text === '' || before.slice(text.length).includes('\n') || SENTENCE_ENDS.includes(text.slice(-1));
}

function numberConstraint(
  question: string,
  start: number,
  token: string,
  language: Language,
): NumberConstraint | undefined {
  const [number = ''] = extractTerms(token.replace(/^[$€£]|[%€$£]$/gu, ''), language);
  if (isDay(question, start, start + token.length, language)) return undefined;
  const word = /^\s?\p{L}{1,5}(?!\p{L})/u.exec(question.slice(start + token.length))?.[0] ?? '';
  const joinedOf = (text: string) =>
    extractTerms(text, language).filter((term) => /\p{N}/u.test(term) && term !== number);
  // A unit as in `5 GB` belongs to the number, an ordinary word does not.
  const withUnit = joinedOf(token + word);
  const own = joinedOf(token);
  const hasUnit = withUnit.length > own.length;
  if (number === '' || (!hasUnit && !/[%€$£]/u.test(token) && Number(number) < MIN_NUMBER)) return undefined;
  const unit = hasUnit ? extractTerms(word, language) : [];
  return { kind: 'number', text: hasUnit ? token + word : token, number, unit, joined: hasUnit ? withUnit : own };
}

/** Returns whether a number is next to the name of a month. */
function isDay(question: string, start: number, end: number, language: Language): boolean {
  const before = /(\p{L}{3,})\.?\s$/u.exec(question.slice(Math.max(0, start - CONTEXT), start))?.[1];
  const after = /^\.?\s(?:(?:of|de)\s)?(\p{L}{3,})/u.exec(question.slice(end, end + CONTEXT))?.[1];
  return [before, after].some((word) => word !== undefined && monthNames(language).has(word.toLowerCase()));
}

/** The months of the question that are surely months, each as the word that names it. */
function monthConstraints(question: string, language: Language): Constraint[] {
  const { months } = readDates(question, language);
  return [...months].map((value) => {
    const text = monthText(question, value, language);
    return { kind: 'month', text, value, terms: extractTerms(text, language) };
  });
}

function monthText(question: string, month: number, language: Language): string {
  for (const { 0: word, index } of question.matchAll(/\p{L}{3,}/gu))
    if (monthAt(question, index, word, language) === month) return word;
  const words = question.match(/\p{N}+\s?[月월]|(?:1[0-9]|20)\p{N}{2}-\p{N}{2}/gu) ?? [];
  return words.find((word) => readDates(word, language).months.has(month)) ?? String(month);
}

function isTitleCase(question: string): boolean {
  const words = question.match(/\p{L}{3,}/gu) ?? [];
  return (
    words.length >= MIN_TITLE_WORDS && words.filter((word) => CAPITAL.test(word)).length > TITLE_CASE * words.length
  );
}
