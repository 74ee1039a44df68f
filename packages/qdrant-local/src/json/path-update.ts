import type { JsonPath, PathStep } from './path.ts';
import {
  draftOf,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
  ownValue,
  setOwnValue,
} from './types.ts';

/**
 * Merges the keys of `source` into `target`. A null removes its key, as in Qdrant's set payload.
 */
export function mergePayload(target: JsonObject, source: JsonObject): JsonObject {
  const merged = draftOf(target);
  for (const key of Object.keys(source)) {
    const value = ownValue(source, key) ?? null;
    if (value === null) delete merged[key];
    else setOwnValue(merged, key, value);
  }
  return merged;
}

function setAt(steps: readonly PathStep[], from: number, current: JsonValue, source: JsonObject): JsonValue {
  const step = steps[from];
  if (step === undefined) return mergePayload(isJsonObject(current) ? current : {}, source);
  if (step.kind === 'key') {
    const draft: JsonObjectDraft = isJsonObject(current) ? draftOf(current) : {};
    const inner = Object.hasOwn(draft, step.key) ? (draft[step.key] ?? null) : null;
    setOwnValue(draft, step.key, setAt(steps, from + 1, inner, source));
    return draft;
  }
  if (step.kind === 'each') {
    return isJsonArray(current) ? current.map((value) => setAt(steps, from + 1, value, source)) : [];
  }
  const list = isJsonArray(current) ? [...current] : [];
  while (list.length <= step.index) list.push(null);
  list[step.index] = setAt(steps, from + 1, list[step.index] ?? null, source);
  return list;
}

/**
 * Merges `source` into the object at `path` (the root if absent). Creates missing objects and
 * arrays.
 */
export function setPayloadAt(payload: JsonObject, path: JsonPath | undefined, source: JsonObject): JsonObject {
  if (!path) return mergePayload(payload, source);
  const changed = setAt(path.steps, 0, payload, source);
  return isJsonObject(changed) ? changed : payload;
}

function removeAt(steps: readonly PathStep[], from: number, current: JsonValue): JsonValue {
  const step = steps[from];
  if (step === undefined) return current;
  const last = from === steps.length - 1;
  if (step.kind === 'key') {
    if (!isJsonObject(current) || !Object.hasOwn(current, step.key)) return current;
    const draft = draftOf(current);
    if (last) delete draft[step.key];
    else setOwnValue(draft, step.key, removeAt(steps, from + 1, draft[step.key] ?? null));
    return draft;
  }
  if (!isJsonArray(current)) return current;
  if (step.kind === 'each') return last ? [] : current.map((value) => removeAt(steps, from + 1, value));
  if (step.index >= current.length) return current;
  if (last) return current.filter((_, i) => i !== step.index);
  return current.map((value, i) => (i === step.index ? removeAt(steps, from + 1, value) : value));
}

/** Removes the value at `path`. Returns the same payload if there is none. */
export function removePayloadAt(payload: JsonObject, path: JsonPath): JsonObject {
  const changed = removeAt(path.steps, 0, payload);
  return isJsonObject(changed) ? changed : payload;
}
