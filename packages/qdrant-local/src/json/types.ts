/** A JSON value as `JSON.parse` returns it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; payloads are never changed in place, an update builds a new object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON object while it is being built. */
export type JsonObjectDraft = { [key: string]: JsonValue };

/** True for `{…}`, false for arrays and null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Array.isArray` that keeps the element type of readonly arrays. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** An object's own property; inherited names like `constructor` are not payload. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a property without ever reaching the prototype (`__proto__` is an ordinary payload key). */
export function setOwnValue(object: JsonObjectDraft, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** A copy whose first level may be changed. */
export function draftOf(object: JsonObject): JsonObjectDraft {
  const draft: JsonObjectDraft = {};
  for (const key of Object.keys(object)) setOwnValue(draft, key, object[key] ?? null);
  return draft;
}
