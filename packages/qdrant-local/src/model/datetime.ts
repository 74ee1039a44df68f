// RFC 3339 and the other forms that Qdrant accepts: a space for the T, no zone (UTC), no seconds,
// only a date.
const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s?(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?)?$/;

/**
 * Parses a date to microseconds since 1970 (UTC), Qdrant's precision. Returns undefined for an
 * invalid date.
 */
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
  // Date.UTC accepts 2024-02-31 as a day in March. Such a date is invalid.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  if (Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined;
  const zoneMinutes = sign ? Number(zoneHour) * 60 + Number(zoneMinute ?? 0) : 0;
  const offsetMs = (sign === '-' ? -zoneMinutes : zoneMinutes) * 60_000;
  const micros = fraction ? Number(fraction.padEnd(6, '0').slice(0, 6)) : 0;
  return (date.getTime() - offsetMs) * 1000 + micros;
}
