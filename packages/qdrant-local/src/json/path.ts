import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from './types.ts';

/** One step of a payload path: a key, `[3]`, or `[]` (every element). */
export type PathStep =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'each' };

/** A parsed payload path with its canonical form. */
export interface JsonPath {
  readonly text: string;
  readonly steps: readonly PathStep[];
}

// Qdrant's grammar: keys of letters, digits, `_` and `-`, or quoted; joined by dots; `[n]` and `[]`
// after a key.
const bareKey = /[\p{Alphabetic}\p{Number}_-]+/uy;
const quotedKey = /"([^"\\]*)"/y;
const indexStep = /\[(\d*)\]/y;
const wholeBareKey = /^[\p{Alphabetic}\p{Number}_-]+$/u;

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

function stepText(step: PathStep, first: boolean): string {
  if (step.kind === 'each') return '[]';
  if (step.kind === 'index') return `[${step.index}]`;
  const key = wholeBareKey.test(step.key) ? step.key : `"${step.key}"`;
  return first ? key : `.${key}`;
}

// Cached, because requests repeat the same few paths. Not the cache of `packages/resilience`: this
// published package has no dependencies.
const maxParsedPaths = 1000;
const parsedPaths = new Map<string, JsonPath | undefined>();

/**
 * Parses `a.b[].c`, `a[0]`, `"quoted key".x`. Returns undefined if Qdrant rejects the text as a
 * path.
 */
export function parseJsonPath(text: string): JsonPath | undefined {
  if (parsedPaths.has(text)) return parsedPaths.get(text);
  if (parsedPaths.size >= maxParsedPaths) parsedPaths.clear();
  const path = parse(text);
  parsedPaths.set(text, path);
  return path;
}

function parse(text: string): JsonPath | undefined {
  const steps: PathStep[] = [];
  let position = 0;
  while (position < text.length || steps.length === 0) {
    const bracket = steps.length > 0 ? matchAt(indexStep, text, position) : null;
    if (bracket) {
      steps.push(bracket[1] ? { kind: 'index', index: Number(bracket[1]) } : { kind: 'each' });
      position += bracket[0].length;
      continue;
    }
    if (steps.length > 0) {
      if (text[position] !== '.') return undefined;
      position += 1;
    }
    const quoted = matchAt(quotedKey, text, position);
    const key = quoted ?? matchAt(bareKey, text, position);
    if (!key) return undefined;
    steps.push({ kind: 'key', key: quoted ? (quoted[1] ?? '') : key[0] });
    position += key[0].length;
  }
  return { text: steps.map((step, i) => stepText(step, i === 0)).join(''), steps };
}

function collect(steps: readonly PathStep[], from: number, value: JsonValue, found: JsonValue[]): void {
  const step = steps[from];
  if (step === undefined) {
    found.push(value);
  } else if (step.kind === 'key') {
    if (!isJsonObject(value)) return;
    const inner = ownValue(value, step.key);
    if (inner !== undefined) collect(steps, from + 1, inner, found);
  } else if (isJsonArray(value)) {
    if (step.kind === 'each') for (const inner of value) collect(steps, from + 1, inner, found);
    else {
      const inner = value[step.index];
      if (inner !== undefined) collect(steps, from + 1, inner, found);
    }
  }
}

/** Returns the values at a path. A leaf array is one value; `[]` flattens it. */
export function valuesAt(path: JsonPath, payload: JsonObject): JsonValue[] {
  const found: JsonValue[] = [];
  collect(path.steps, 0, payload, found);
  return found;
}

/**
 * Returns the values at a path for indexes, facets and grouping: leaf arrays are flattened one
 * level.
 */
export function flatValuesAt(path: JsonPath, payload: JsonObject): JsonValue[] {
  const found: JsonValue[] = [];
  for (const value of valuesAt(path, payload)) {
    if (isJsonArray(value)) found.push(...value);
    else found.push(value);
  }
  return found;
}

/** Returns the top-level key of the payload that contains the path. */
export function topKeyOf(path: JsonPath): string {
  const [step] = path.steps;
  return step?.kind === 'key' ? step.key : '';
}

/** Appends `[]` to a path, which is how nested conditions interpret their key. */
export function asArrayPath(path: JsonPath): JsonPath {
  if (path.steps.at(-1)?.kind === 'each') return path;
  return { text: `${path.text}[]`, steps: [...path.steps, { kind: 'each' }] };
}
