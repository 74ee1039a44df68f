import { extractTerms, type Language } from '@lectern/text';
import { readDates } from '#constraints/dates';

/** A year, month, number or name of a question that its answer must be about. */
export type Constraint =
  | { readonly kind: 'year' | 'month'; readonly text: string; readonly value: number }
  | { readonly kind: 'number'; readonly text: string; readonly terms: readonly string[] }
  | { readonly kind: 'name'; readonly text: string; readonly words: readonly NameWord[] };

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
/** The answer to a question about the time before or after a year has another year. */
const RELATIVE =
  /(?:\b(?:since|after|before|until|till|by|from|to|than|between)|(?:^|\s)(?:seit|nach|vor|bis|ab|zwischen|und|and))\s+(?:the\s+)?(?:years?\s+)?$/iu;
const CAPITAL = /^\p{Lu}/u;
const ABBREVIATION = /^\p{Lu}{2,6}$/u;
const IDENTIFIER = /^(?=.*\p{N})(?=.*\p{L})[\p{L}\p{N}._@/-]{3,}$|^\p{Ll}+\p{Lu}/u;
/** Tokens of other forms of a number: `1st`, `5-time`, `90er`. */
const INFLECTED_NUMBER = /^\p{N}+(?:['’]?s|st|nd|rd|th|er|ten?|[-‑]\p{L}+|\p{L})$/iu;
const SENTENCE_START = /(?:^|[.?!:;"“„«¿¡(\n])\s*$/u;
/** Words between the capitalized words of one name. */
const NAME_LINK = /^\s+(?:(?:of|the|de|la|le|du|des|von|van|der|den|and|&)\s+){0,2}$/u;
/** A question with more capitalized words than this share is written like a title. */
const TITLE_CASE = 0.85;
const MIN_TITLE_WORDS = 4;

/**
 * Reads what an answer to a question must mention. Names are capitalized words inside a sentence,
 * abbreviations and identifiers. German capitalizes every noun, so there only the last two count.
 */
export function readConstraints(question: string, language: Language): Constraint[] {
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
    if (YEAR.test(token) || DECADE.test(token)) {
      if (!RELATIVE.test(before)) constraints.push({ kind: 'year', text: token, value: Number(token.slice(0, 4)) });
    } else if (NUMBER.test(token)) {
      const number = numberConstraint(question, start, token, language);
      if (number) constraints.push(number);
      readTo = start + (number?.text.length ?? 0);
    } else if (isName(token, before, capitalsName)) {
      const word = { text: token, terms: extractTerms(token, language) };
      if (word.terms.length === 0) continue;
      if (lastName && NAME_LINK.test(question.slice(lastName.end, start))) {
        lastName.words.push(word);
        lastName.end = start + token.length;
      } else {
        addName(question, lastName, constraints);
        lastName = { words: [word], start, end: start + token.length };
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
  if (name) constraints.push({ kind: 'name', text: question.slice(name.start, name.end), words: name.words });
}

function isName(token: string, before: string, capitalsName: boolean): boolean {
  if (INFLECTED_NUMBER.test(token)) return false;
  if (ABBREVIATION.test(token) || IDENTIFIER.test(token)) return true;
  return capitalsName && CAPITAL.test(token) && token.length > 1 && !SENTENCE_START.test(before);
}

function numberConstraint(question: string, start: number, token: string, language: Language): Constraint | undefined {
  const [number = ''] = extractTerms(token.replace(/^[$€£]|[%€$£]$/gu, ''), language);
  const unit = /^\s?\p{L}{1,5}(?!\p{L})/u.exec(question.slice(start + token.length))?.[0] ?? '';
  const numbersOf = (text: string) => extractTerms(text, language).filter((term) => /\p{N}/u.test(term));
  // A unit as in `5 GB` belongs to the number, an ordinary word does not.
  const withUnit = numbersOf(token + unit);
  const hasUnit = withUnit.length > numbersOf(token).length;
  if (number === '' || (!hasUnit && !/[%€$£]/u.test(token) && Number(number) < MIN_NUMBER)) return undefined;
  return { kind: 'number', text: hasUnit ? token + unit : token, terms: [...new Set([number, ...withUnit])] };
}

function monthConstraints(question: string, language: Language): Constraint[] {
  const { months } = readDates(question, language);
  return [...months].map((value) => ({ kind: 'month', text: monthText(question, value, language), value }));
}

/** Returns the word of the question that names a month. */
function monthText(question: string, month: number, language: Language): string {
  const words = question.match(/\p{L}{3,}|\p{N}+\s?月|(?:1[0-9]|20)\p{N}{2}-\p{N}{2}/gu) ?? [];
  return words.find((word) => readDates(word, language).months.has(month)) ?? String(month);
}

function isTitleCase(question: string): boolean {
  const words = question.match(/\p{L}{3,}/gu) ?? [];
  return (
    words.length >= MIN_TITLE_WORDS && words.filter((word) => CAPITAL.test(word)).length > TITLE_CASE * words.length
  );
}
