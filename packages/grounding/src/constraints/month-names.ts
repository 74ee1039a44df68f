import type { Language } from '@lectern/text';

/** Long names that are also everyday words of a language with analyzed texts. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['may', 'march', 'mars', 'marts', 'mart', 'mai', 'mei', 'ocak', 'ekim']);
/** Languages in which such a name after a preposition can still be the other word: Romanian "în mai multe". */
const NO_PREPOSITION: ReadonlySet<Language> = new Set<Language>(['ro', 'vi', 'tr']);
const MONTHS = 12;
const DAYS = 7;

/** The number of a month, 1 to 12, and what must be next to a word for it to be that month. */
export interface MonthName {
  readonly month: number;
  readonly needs: 'nothing' | 'preposition' | 'number';
}

const known = new Map<Language, ReadonlyMap<string, MonthName>>();
const knownDays = new Map<Language, ReadonlySet<string>>();

/** Returns the long and short names of the months in a language and in English, in lower case. */
export function monthNames(language: Language): ReadonlyMap<string, MonthName> {
  const found = known.get(language);
  if (found) return found;
  const names = new Map<string, MonthName>();
  for (const locale of localesOf(language))
    for (let month = 1; month <= MONTHS; month += 1) {
      const date = Date.UTC(2024, month - 1, 1);
      for (const options of [{ month: 'long', day: 'numeric' }, { month: 'long' }, { month: 'short' }] as const) {
        const name = namePart(locale, { ...options, timeZone: 'UTC' }, date, 'month');
        // Some languages, for example Chinese, write months as numbers.
        if (name === undefined || names.has(name)) continue;
        names.set(name, { month, needs: needsOf(name, options.month === 'short', language) });
      }
    }
  known.set(language, names);
  return names;
}

/** Returns the long and short names of the days of the week, like `monthNames`. */
export function weekdayNames(language: Language): ReadonlySet<string> {
  const found = knownDays.get(language);
  if (found) return found;
  const names = new Set<string>();
  for (const locale of localesOf(language))
    for (let day = 1; day <= DAYS; day += 1)
      for (const weekday of ['long', 'short'] as const) {
        const name = namePart(locale, { weekday, timeZone: 'UTC' }, Date.UTC(2024, 0, day), 'weekday');
        if (name !== undefined) names.add(name).add(`${name}s`);
      }
  knownDays.set(language, names);
  return names;
}

const localesOf = (language: Language) => new Set([language === 'und' ? 'en' : language, 'en']);

function namePart(
  locale: string,
  options: Intl.DateTimeFormatOptions,
  date: number,
  type: 'month' | 'weekday',
): string | undefined {
  const parts = new Intl.DateTimeFormat(locale, options).formatToParts(date);
  const name = parts
    .find((part) => part.type === type)
    ?.value.toLowerCase()
    .replace(/\.$/, '');
  return name !== undefined && /^\p{L}{3,}$/u.test(name) ? name : undefined;
}

function needsOf(name: string, isShort: boolean, language: Language): MonthName['needs'] {
  if (AMBIGUOUS.has(name)) return NO_PREPOSITION.has(language) ? 'number' : 'preposition';
  return isShort ? 'number' : 'nothing';
}
