/** A time as responses show it: ISO 8601, UTC, milliseconds; null if there is none. */
export function time(date: Date | undefined): string | null {
  return date?.toISOString() ?? null;
}
