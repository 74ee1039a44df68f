/**
 * A JSON value without the fields that are null. Platforms write null for what is absent, also where their documentation leaves the field out.
 * Entries of lists stay.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (field === null ? [] : [[name, withoutNulls(field)]])),
  );
}
