/**
 * Removes null fields from a JSON value. Platforms write null for absent values, even if their
 * documentation describes the field as omitted. Null entries of lists stay.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (field === null ? [] : [[name, withoutNulls(field)]])),
  );
}
