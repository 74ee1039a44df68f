/** The name under which answers show a value of a contract's enum: `COMPLETED_WITH_ERRORS` → `completed_with_errors`. */
export function enumText(names: Readonly<Record<string, number>>, value: number): string {
  const entry = Object.entries(names).find(([, number]) => number === value);
  return (entry?.[0] ?? 'unspecified').toLowerCase();
}
