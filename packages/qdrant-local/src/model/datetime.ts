// RFC 3339, and the looser forms that Qdrant takes: a space for the T, no zone (UTC), no seconds, a date alone.
const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s?(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?)?$/;

/** Microseconds since 1970 (UTC) of a date text, the precision in which Qdrant compares; undefined if it is none. */
export function parseDatetimeMicros(text: string): number | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction, , sign, zoneHour, zoneMinute] = match;
  const base = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  );
  const date = new Date(base);
  if (Number(year) < 100) date.setUTCFullYear(Number(year));
  // Date.UTC rolls 2024-02-31 over to March; such a text is no date.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  if (Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined;
  const zoneMinutes = sign ? Number(zoneHour) * 60 + Number(zoneMinute ?? 0) : 0;
  const offsetMs = (sign === '-' ? -zoneMinutes : zoneMinutes) * 60_000;
  const micros = fraction ? Number(fraction.padEnd(6, '0').slice(0, 6)) : 0;
  return (date.getTime() - offsetMs) * 1000 + micros;
}
