import type { Language } from '@lectern/text';

/** Long names that are also everyday words, unless they are capitalized. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['may', 'march', 'mars', 'marts', 'mart', 'mei']);
const MONTHS = 12;

/** The number of a month, 1 to 12, and whether a lower-case word can be that month. */
export interface MonthName {
  readonly month: number;
  readonly isClear: boolean;
}

const known = new Map<Language, ReadonlyMap<string, MonthName>>();

/** Returns the names of the months in a language and in English, in lower case. */
export function monthNames(language: Language): ReadonlyMap<string, MonthName> {
  const found = known.get(language);
  if (found) return found;
  const names = new Map<string, MonthName>();
  for (const locale of new Set([language === 'und' ? 'en' : language, 'en'])) {
    const format = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', timeZone: 'UTC' });
    for (let month = 1; month <= MONTHS; month += 1) {
      const parts = format.formatToParts(Date.UTC(2024, month - 1, 1));
      const name = parts.find(({ type }) => type === 'month')?.value.toLowerCase();
      // Some languages, for example Chinese, write months as numbers.
      if (name === undefined || !/^\p{L}{3,}$/u.test(name)) continue;
      names.set(name, { month, isClear: !AMBIGUOUS.has(name) });
    }
  }
  known.set(language, names);
  return names;
}
