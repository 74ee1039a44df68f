/** A time as answers carry it: ISO 8601, UTC, milliseconds; null for none. */
export function time(date: Date | undefined): string | null {
  return date?.toISOString() ?? null;
}
