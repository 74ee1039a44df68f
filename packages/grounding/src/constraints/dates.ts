import { extractTerms, type Language } from '@lectern/text';
import { type MonthName, monthNames } from '#constraints/month-names';

/** The years and months that a text mentions. */
export interface Dates {
  /** Surely years: no amounts, counts or parts of names. */
  readonly years: ReadonlySet<number>;
  /** Surely months, 1 to 12. */
  readonly months: ReadonlySet<number>;
  /** Numbers that can be years. Includes `years`. */
  readonly possibleYears: ReadonlySet<number>;
  /** Includes `months`, those between two months, and words and numbers that can be months. */
  readonly possibleMonths: ReadonlySet<number>;
  /** First and last year of each range and decade, which include the years between. */
  readonly spans: readonly (readonly [first: number, last: number])[];
}

const YEAR = String.raw`(?:1[0-9]|20)\p{N}{2}`;
const YEARS = new RegExp(String.raw`(?<![\p{L}\p{N}.,$€£#-])(${YEAR})(?![\p{L}\p{N}]|[.,]\p{N})`, 'gu');
const POSSIBLE_YEARS = new RegExp(String.raw`(?<!\p{N})(${YEAR})(?!\p{N})`, 'gu');
const RANGE = new RegExp(
  String.raw`(?<!\p{N})(${YEAR})\s?(?:[-‑–—/]|to|bis|and|until)\s?((?:${YEAR})|\p{N}{2})(?![-/.]?\p{N})`,
  'gu',
);
const DECADE = /(?<!\p{N})((?:1[0-9]|20)\p{N}0)(?:['’]?s|er)(?!\p{L})/gu;
const ISO_DATE = new RegExp(String.raw`(?<!\p{N})(${YEAR})-(0[1-9]|1[0-2])(?:-[0-3]\p{N})?(?!\p{N})`, 'gu');
/** `24.12.`, `24.12.2018`, `12/24/2018`: the day or the month is first. */
const NUMERIC_DATE = /(?<![\p{N}.,/])([0-3]?\p{N})([./])([0-3]?\p{N})(?:\2(?:\p{N}{4}|\p{N}{2})?)(?!\p{N})/gu;
const EAST_ASIAN_DATE = /(?:((?:1[0-9]|20)\p{N}{2})\s?[年년])?(?:(?<!\p{N})(1[0-2]|[1-9])\s?[月월])?/gu;
const WORD = /\p{L}{3,}/gu;

/** What is directly before a number that counts or names something. */
const NO_YEAR_BEFORE =
  /(?:[€$£¥#§]\s?|(?<!\p{L})(?:above|over|under|below|exceeding|than|least|most|about|über|unter|mindestens|höchstens|etwa|als)\s)$/iu;
/** An abbreviation: RSA 2048, EUR 1500. */
const CAPITALS_BEFORE = /\p{Lu}{2,}[\s-]$/u;
/** Signs of units and counting words directly after a number. */
const NO_YEAR_AFTER = /^\s?(?:[€$£¥%‰°元円圆원个個人名개명台件]|-\p{L})/u;
const YEAR_BEFORE = /(?<!\p{L})(?:in|im|en|em|nel|année|año|ano|anno|year|jahr|jahre|jaar|år|rok|roku|v|w|в|i)\s$/iu;
const ARTICLE_BEFORE = /(?<!\p{L})the\s$/iu;
/** Directly before a month: "in March". */
const PREPOSITION =
  /(?<!\p{L})(?:in|since|until|till|by|before|after|from|during|of|im|ab|seit|bis|vor|nach|en|em|depuis|avant|après|jusqu['’]en|i|siden|sedan|sinds|tot|vanaf|w|v)\s+$/iu;
const NUMBER_BEFORE = /\p{N}(?:\.|st|nd|rd|th|er)?\s?(?:of\s|de\s)?$/iu;
const NUMBER_AFTER = /^\.?,?\s?\p{N}/u;
const YEAR_AFTER = new RegExp(String.raw`^\.?,?\s?${YEAR}(?!\p{N})`, 'u');
const SENTENCE_START = /(?:^|(?<!\p{N})\.|[?!:;\n])\s*["“„«¿¡(]?$/u;
/** In lower case, these are verbs also before a number: "may 2 people". */
const VERB = /^(?:may|march)$/u;
const PRONOUN = /(?<!\p{L})i\s+$/iu;
/** Between the first and the last month of a span. */
const MONTH_LINK =
  /^[.\s\p{N}]*(?:[-‑–—/]|to|through|thru|until|till|bis|a|à|al|até|hasta|fino|tot|til|till|do|до|έως)(?:\s+(?:a|al|the))?[.\s\p{N}]*$/iu;
const CONTEXT = 24;

/** Reads the years and months in a text. */
export function readDates(text: string, language: Language): Dates {
  const years = new Set<number>();
  const spans: [number, number][] = [];
  for (const { 0: year, index } of text.matchAll(YEARS))
    if (isYear(text, index, index + year.length, language)) years.add(Number(year));
  for (const [, first = '', last = ''] of text.matchAll(RANGE)) {
    const end = last.length === 2 ? Number(first.slice(0, 2) + last) : Number(last);
    if (end >= Number(first)) spans.push([Number(first), end]);
  }
  for (const [, first] of text.matchAll(DECADE)) spans.push([Number(first), Number(first) + 9]);
  const { months, possibleMonths } = readMonths(text, language);
  for (const [, year, month] of text.matchAll(ISO_DATE)) {
    years.add(Number(year));
    months.add(Number(month));
  }
  if (/[年月년월]/.test(text)) {
    for (const [, year, month] of text.matchAll(EAST_ASIAN_DATE)) {
      if (year) years.add(Number(year));
      if (month) months.add(Number(month));
    }
  }
  const possibleYears = new Set(years);
  for (const [, year] of text.matchAll(POSSIBLE_YEARS)) possibleYears.add(Number(year));
  for (const month of months) possibleMonths.add(month);
  return { years, months, possibleYears, possibleMonths, spans };
}

/** Returns whether a text with these dates can mention a year: alone, in a range or in its decade. */
export function hasYear({ possibleYears, spans }: Dates, year: number): boolean {
  return possibleYears.has(year) || spans.some(([first, last]) => first <= year && year <= last);
}

/** Returns whether a number from 1000 to 2099 is surely a year: it has no unit and counts nothing. */
export function isYear(text: string, start: number, end: number, language: Language): boolean {
  const before = text.slice(Math.max(0, start - CONTEXT), start);
  const after = text.slice(end, end + CONTEXT);
  if (NO_YEAR_AFTER.test(after) || NO_YEAR_BEFORE.test(before) || CAPITALS_BEFORE.test(before)) return false;
  const word = /^\s+(\p{L}[\p{L}\p{M}]*)/u.exec(after)?.[1];
  if (word === undefined) return true;
  const terms = extractTerms(`${text.slice(start, end)} ${word}`, language);
  if (terms.some((term) => /^\p{N}+[\p{L}%]/u.test(term))) return false;
  const isFunctionWord = extractTerms(word, language).length === 0;
  return isFunctionWord || YEAR_BEFORE.test(before) || (ARTICLE_BEFORE.test(before) && !word.endsWith('s'));
}

/** Returns the number of the month if the word there is surely one. */
export function monthAt(text: string, start: number, word: string, language: Language): number | undefined {
  const name = monthNames(language).get(word.toLowerCase());
  return name && isMonth(name, text, start, start + word.length) ? name.month : undefined;
}

function readMonths(text: string, language: Language) {
  const months = new Set<number>();
  const possibleMonths = new Set<number>();
  const names = monthNames(language);
  let last: { month: number; end: number } | undefined;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const name = names.get(word.toLowerCase());
    if (name === undefined) continue;
    const end = index + word.length;
    if (isMonth(name, text, index, end)) months.add(name.month);
    possibleMonths.add(name.month);
    const link = last && text.slice(last.end, index);
    if (last && link && link.length <= CONTEXT && MONTH_LINK.test(link))
      for (let { month } = last; month !== name.month; month = (month % 12) + 1) possibleMonths.add(month);
    last = { month: name.month, end };
  }
  for (const [, first, , second] of text.matchAll(NUMERIC_DATE))
    for (const month of [Number(first), Number(second)]) if (month >= 1 && month <= 12) possibleMonths.add(month);
  return { months, possibleMonths };
}

function isMonth({ needs }: MonthName, text: string, start: number, end: number): boolean {
  if (needs === 'nothing') return true;
  const before = text.slice(Math.max(0, start - CONTEXT), start);
  const after = text.slice(end, end + CONTEXT);
  if (SENTENCE_START.test(before)) return false;
  const word = text.slice(start, end);
  const isVerb = VERB.test(word);
  if (YEAR_AFTER.test(after) || (!isVerb && (NUMBER_BEFORE.test(before) || NUMBER_AFTER.test(after)))) return true;
  return (
    needs === 'preposition' && PREPOSITION.test(before) && !(/^m(?:ay|arch)$/iu.test(word) && PRONOUN.test(before))
  );
}
