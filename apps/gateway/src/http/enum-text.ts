type Names = Readonly<Record<string, number>>;

/**
 * Returns the name of an enum value for responses: `COMPLETED_WITH_ERRORS` →
 * `completed_with_errors`.
 */
export function enumText(names: Names, value: number): string {
  const entry = Object.entries(names).find(([, number]) => number === value);
  return (entry?.[0] ?? 'unspecified').toLowerCase();
}
