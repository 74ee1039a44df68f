type Names = Readonly<Record<string, number>>;

/** Formats a time for responses: ISO 8601 in UTC, with milliseconds. Null if there is none. */
export function time(date: Date | undefined): string | null {
  return date?.toISOString() ?? null;
}

/**
 * Returns the name of an enum value for responses: `COMPLETED_WITH_ERRORS` becomes
 * `completed_with_errors`.
 */
export function enumText(names: Names, value: number): string {
  const entry = Object.entries(names).find(([, number]) => number === value);
  return (entry?.[0] ?? 'unspecified').toLowerCase();
}

/** Converts null to an empty string, with which the services clear a field. */
export const orEmpty = (text: string | null | undefined): string | undefined => (text === null ? '' : text);
