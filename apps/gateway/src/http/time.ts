/** Formats a time for responses: ISO 8601 in UTC, with milliseconds. Null if there is none. */
export function time(date: Date | undefined): string | null {
  return date?.toISOString() ?? null;
}
