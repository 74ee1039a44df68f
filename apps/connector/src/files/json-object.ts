/** A JSON column that holds an object, as one; anything else is an empty one. */
export function jsonObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
