import { language, t } from '#texts/texts.ts';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(language(), { dateStyle: 'medium' });

/** Formats a time as “3 hours ago”, or as a date if it is more than 30 days away. */
export function agoText(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1_000;
  if (Math.abs(seconds) > 30 * 86_400) return dateText(iso);
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  return t('ui.justNow');
}

export function dateText(iso: string): string {
  return day.format(new Date(iso));
}

export function dateTimeText(iso: string): string {
  return absolute.format(new Date(iso));
}

/** Returns the value of a date field for a time. An empty string for null. */
export function dayOf(iso: string | null): string {
  if (iso === null) return '';
  const time = new Date(iso);
  const twoDigits = (part: number) => String(part).padStart(2, '0');
  return `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`;
}

/** Returns the end of the day of a date field. Null if the field is empty. */
export function endOfDay(date: string): string | null {
  return date === '' ? null : new Date(`${date}T23:59:59`).toISOString();
}
