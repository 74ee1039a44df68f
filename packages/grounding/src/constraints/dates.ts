import type { Language } from '@lectern/text';
import { monthNames } from '#constraints/month-names';

/** The years and months that a text mentions. */
export interface Dates {
  /** Years as written in full. */
  readonly years: ReadonlySet<number>;
  /** First and last year of each range and decade, which include the years between. */
  readonly spans: readonly (readonly [first: number, last: number])[];
  /** 1 to 12. */
  readonly months: ReadonlySet<number>;
}

const YEAR = String.raw`(?:1[0-9]|20)\p{N}{2}`;
const YEARS = new RegExp(String.raw`(?<![\p{L}\p{N}.,$€£#-])(${YEAR})(?![\p{L}\p{N}]|[.,]\p{N})`, 'gu');
const RANGE = new RegExp(
  String.raw`(?<!\p{N})(${YEAR})\s?(?:[-‑–—/]|to|bis|and|until)\s?((?:${YEAR})|\p{N}{2})(?!\p{N})`,
  'gu',
);
const DECADE = /(?<!\p{N})((?:1[0-9]|20)\p{N}0)(?:['’]?s|er)(?!\p{L})/gu;
const ISO_DATE = new RegExp(String.raw`(?<!\p{N})(${YEAR})-(0[1-9]|1[0-2])(?:-[0-3]\p{N})?(?!\p{N})`, 'gu');
const CHINESE_DATE = /(?:((?:1[0-9]|20)\p{N}{2})\s?年)?(?:(?<!\p{N})(1[0-2]|[1-9])\s?月)?/gu;
const WORD = /\p{L}{3,}/gu;

/** Reads the years and months in a text. */
export function readDates(text: string, language: Language): Dates {
  const years = new Set<number>();
  const months = new Set<number>();
  const spans: [number, number][] = [];
  for (const [, year] of text.matchAll(YEARS)) years.add(Number(year));
  for (const [, first = '', last = ''] of text.matchAll(RANGE)) {
    const end = last.length === 2 ? Number(first.slice(0, 2) + last) : Number(last);
    if (end < Number(first)) continue;
    years.add(Number(first)).add(end);
    spans.push([Number(first), end]);
  }
  for (const [, first] of text.matchAll(DECADE)) spans.push([Number(first), Number(first) + 9]);
  for (const [, year, month] of text.matchAll(ISO_DATE)) {
    years.add(Number(year));
    months.add(Number(month));
  }
  if (/[年月]/.test(text)) {
    for (const [, year, month] of text.matchAll(CHINESE_DATE)) {
      if (year) years.add(Number(year));
      if (month) months.add(Number(month));
    }
  }
  const names = monthNames(language);
  for (const [word] of text.matchAll(WORD)) {
    const name = names.get(word.toLowerCase());
    if (name && (name.isClear || /^\p{Lu}/u.test(word))) months.add(name.month);
  }
  return { years, spans, months };
}

/** Returns whether a text with these dates mentions a year, alone, in a range or in its decade. */
export function hasYear({ years, spans }: Dates, year: number): boolean {
  return years.has(year) || spans.some(([first, last]) => first <= year && year <= last);
}
