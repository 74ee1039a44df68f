type Names = Readonly<Record<string, number>>;

/** The name under which answers show a value of a contract's enum: `COMPLETED_WITH_ERRORS` → `completed_with_errors`. */
export function enumText(names: Names, value: number): string {
  const entry = Object.entries(names).find(([, number]) => number === value);
  return (entry?.[0] ?? 'unspecified').toLowerCase();
}

/** All the names that `enumText` can give for what a service answers. */
export function enumTexts(names: Names): readonly string[] {
  // 0 is `UNSPECIFIED`, -1 is `UNRECOGNIZED`.
  return Object.entries(names).flatMap(([name, value]) => (value > 0 ? [name.toLowerCase()] : []));
}
