/** A date and time in a time zone. */
export interface LocalTime {
  /** ISO 8601 with the zone's offset at that moment, to the second. */
  readonly iso: string;
  /** `Saturday, 21 November 2026, 14:03:05`. */
  readonly text: string;
  /** `+09:00`. */
  readonly offset: string;
  /** ISO 8601 week of the year, 1 to 53. */
  readonly week: number;
}

/** Converts a time to an IANA time zone. Throws `RangeError` for an unknown zone. */
export function describeTime(moment: Date, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      calendar: 'gregory',
      weekday: 'long',
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const offset = offsetOf(moment, timeZone);
  const local = new Date(moment.getTime() + minutesOf(offset) * 60_000);
  return {
    iso: `${local.toISOString().slice(0, 19)}${offset}`,
    text: `${parts.weekday}, ${parts.day} ${parts.month} ${parts.year}, ${parts.hour}:${parts.minute}:${parts.second}`,
    offset,
    week: isoWeek(local),
  };
}

function offsetOf(moment: Date, timeZone: string): string {
  const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const offset = name?.slice('GMT'.length) ?? '';
  return offset === '' ? '+00:00' : offset;
}

function minutesOf(offset: string): number {
  const [hours = '0', minutes = '0'] = offset.slice(1).split(':');
  return (offset.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/**
 * ISO 8601: the week of the year's first Thursday is week 1. `local` has the local date in its UTC
 * fields.
 */
function isoWeek(local: Date): number {
  const day = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()));
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
  const yearStart = Date.UTC(day.getUTCFullYear(), 0, 1);
  return Math.ceil(((day.getTime() - yearStart) / 86_400_000 + 1) / 7);
}
