import type { JsonPath } from './path.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
  setOwnValue,
} from './types.ts';

/** The payload keys to include in a response. */
export type PayloadSelector =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'include'; readonly paths: readonly JsonPath[] }
  | { readonly kind: 'exclude'; readonly paths: readonly JsonPath[] };

type Keep = (steps: readonly string[]) => boolean;

// Steps are compared as text. Keys have a leading dot to distinguish a key named `[]` from an array
// step. Stored arrays are traversed with `[]`, which never equals a selector's `[0]`: Qdrant does
// not select single elements either.
function patternOf(path: JsonPath): readonly string[] {
  return path.steps.map((step) =>
    step.kind === 'key' ? `.${step.key}` : step.kind === 'each' ? '[]' : `[${step.index}]`,
  );
}

function samePrefix(left: readonly string[], right: readonly string[]): boolean {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) if (left[i] !== right[i]) return false;
  return true;
}

function filterValue(value: JsonValue, steps: readonly string[], keep: Keep): JsonValue {
  if (isJsonArray(value)) {
    const inside = [...steps, '[]'];
    return keep(inside) ? value.map((inner) => filterValue(inner, inside, keep)) : [];
  }
  return isJsonObject(value) ? filterObject(value, steps, keep) : value;
}

function filterObject(object: JsonObject, steps: readonly string[], keep: Keep): JsonObject {
  const draft: JsonObjectDraft = {};
  for (const key of Object.keys(object)) {
    const inside = [...steps, `.${key}`];
    if (keep(inside)) setOwnValue(draft, key, filterValue(object[key] ?? null, inside, keep));
  }
  return draft;
}

/** Returns the keys of the paths if all of them are top-level keys, otherwise undefined. */
export function topLevelKeys(paths: readonly JsonPath[]): readonly string[] | undefined {
  const keys: string[] = [];
  for (const { steps } of paths) {
    const [step] = steps;
    if (steps.length !== 1 || step?.kind !== 'key') return undefined;
    keys.push(step.key);
  }
  return keys;
}

/**
 * Selects top-level keys without traversing the payload. This is the usual case, for thousands of
 * hits.
 */
function pickKeys(payload: JsonObject, wanted: readonly string[]): JsonObject {
  const draft: JsonObjectDraft = {};
  for (const key of Object.keys(payload)) {
    if (wanted.includes(key)) setOwnValue(draft, key, payload[key] ?? null);
  }
  return draft;
}

/** Returns the selected part of a payload; undefined if the response contains no payload. */
export function selectPayload(selector: PayloadSelector, payload: JsonObject): JsonObject | undefined {
  if (selector.kind === 'none') return undefined;
  if (selector.kind === 'all') return payload;
  const keys = selector.kind === 'include' ? topLevelKeys(selector.paths) : undefined;
  if (keys) return pickKeys(payload, keys);
  const patterns = selector.paths.map(patternOf);
  if (selector.kind === 'include') {
    return filterObject(payload, [], (steps) => patterns.some((pattern) => samePrefix(pattern, steps)));
  }
  return filterObject(
    payload,
    [],
    (steps) => !patterns.some((pattern) => pattern.length <= steps.length && samePrefix(pattern, steps)),
  );
}
