/** A JSON value as `JSON.parse` returns it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Payloads are immutable: an update creates a new object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON object while it is being built. */
export type JsonObjectDraft = { [key: string]: JsonValue };

/** Returns true for an object, false for arrays and null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Like `Array.isArray`, but keeps the element type of readonly arrays. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns an object's own property. Inherited names like `constructor` are undefined. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a property without changing the prototype (`__proto__` is an ordinary payload key). */
export function setOwnValue(object: JsonObjectDraft, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** Returns a shallow copy that can be modified. */
export function draftOf(object: JsonObject): JsonObjectDraft {
  const draft: JsonObjectDraft = {};
  for (const key of Object.keys(object)) setOwnValue(draft, key, object[key] ?? null);
  return draft;
}
