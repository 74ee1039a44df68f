import type { FieldIndex } from '../index/field-index.ts';
import { type JsonPath, topKeyOf, valuesAt } from '../json/path.ts';
import type { JsonObject } from '../json/types.ts';
import type { PointId } from '../model/point-id.ts';
import { Bitmap } from '../storage/bitmap.ts';
import { checkPayloadCondition } from './check-payload.ts';
import { checkIsEmpty } from './check-value.ts';
import type { FilterResults } from './filter-results.ts';
import type { Condition, Filter } from './types.ts';

/** The data that filters are evaluated on. */
export interface FilterSource {
  readonly alive: Bitmap;
  readonly filterResults: FilterResults;
  offsetOf(id: PointId): number | undefined;
  payloadAt(offset: number): JsonObject;
  /**
   * Returns a reader of payloads with only one top-level key, which is faster. Equal payloads often
   * share an object.
   */
  fieldReader(key: string): (offset: number) => JsonObject;
  /** Returns the points that have a vector of this name; undefined for an unknown name. */
  vectorPresence(name: string): Bitmap | undefined;
  fieldIndex(path: string): FieldIndex | undefined;
}

const maxVerdicts = 2000;

function scan(
  source: FilterSource,
  path: JsonPath,
  candidates: Bitmap,
  holds: (payload: JsonObject) => boolean,
): Bitmap {
  const matching = candidates.clone();
  const fieldAt = source.fieldReader(topKeyOf(path));
  // Equal fields often share an object, so results are cached by object.
  const verdicts = new Map<JsonObject, boolean>();
  candidates.forEach((offset) => {
    const field = fieldAt(offset);
    let verdict = verdicts.get(field);
    if (verdict === undefined) {
      verdict = holds(field);
      if (verdicts.size < maxVerdicts) verdicts.set(field, verdict);
    }
    if (!verdict) matching.delete(offset);
  });
  return matching;
}

function evaluateIsEmpty(source: FilterSource, condition: Condition & { kind: 'isEmpty' }, candidates: Bitmap): Bitmap {
  // Points with a value in the index are not empty. Only the payloads of the others are read.
  const rest = candidates.clone();
  const index = source.fieldIndex(condition.path.text);
  if (index) rest.andNot(index.indexed);
  return scan(source, condition.path, rest, (payload) => checkIsEmpty(valuesAt(condition.path, payload)));
}

/**
 * Returns the candidates that match one condition, from an index if possible, otherwise by reading
 * payloads.
 */
function evaluateCondition(source: FilterSource, condition: Condition, candidates: Bitmap): Bitmap {
  switch (condition.kind) {
    case 'filter':
      return evaluateOver(source, condition.filter, candidates);
    case 'hasId': {
      const found = new Bitmap();
      for (const id of condition.ids) {
        const offset = source.offsetOf(id);
        if (offset !== undefined) found.add(offset);
      }
      return found.and(candidates);
    }
    case 'hasVector':
      return candidates.clone().and(source.vectorPresence(condition.name) ?? new Bitmap());
    case 'isEmpty':
      return evaluateIsEmpty(source, condition, candidates);
    case 'field': {
      const indexed = source.fieldIndex(condition.path.text)?.evaluate(condition);
      if (indexed) return indexed.and(candidates);
      return scan(source, condition.path, candidates, (payload) => checkPayloadCondition(condition, payload));
    }
    case 'isNull':
    case 'nested':
      return scan(source, condition.path, candidates, (payload) => checkPayloadCondition(condition, payload));
  }
}

// Cheap conditions come first, so that fewer payloads are read.
function costOf(source: FilterSource, condition: Condition): number {
  if (condition.kind === 'hasId' || condition.kind === 'hasVector') return 0;
  if (condition.kind === 'field') return source.fieldIndex(condition.path.text) ? 1 : 3;
  return condition.kind === 'filter' ? 2 : 4;
}

function cheapestFirst(source: FilterSource, conditions: readonly Condition[]): readonly Condition[] {
  if (conditions.length < 2) return conditions;
  return [...conditions].sort((a, b) => costOf(source, a) - costOf(source, b));
}

function atLeast(source: FilterSource, conditions: readonly Condition[], minCount: number, matching: Bitmap): Bitmap {
  const counts = new Map<number, number>();
  for (const condition of conditions) {
    evaluateCondition(source, condition, matching).forEach((offset) => {
      counts.set(offset, (counts.get(offset) ?? 0) + 1);
    });
  }
  const result = matching.clone();
  matching.forEach((offset) => {
    if ((counts.get(offset) ?? 0) < minCount) result.delete(offset);
  });
  return result;
}

function evaluateOver(source: FilterSource, filter: Filter, candidates: Bitmap): Bitmap {
  let matching = candidates.clone();
  for (const condition of cheapestFirst(source, filter.must ?? []))
    matching = evaluateCondition(source, condition, matching);
  for (const condition of cheapestFirst(source, filter.mustNot ?? []))
    matching.andNot(evaluateCondition(source, condition, matching));
  if (filter.should) {
    const any = new Bitmap();
    for (const condition of filter.should) any.or(evaluateCondition(source, condition, matching));
    matching.and(any);
  }
  if (filter.minShould) matching = atLeast(source, filter.minShould.conditions, filter.minShould.minCount, matching);
  return matching;
}

/** Returns the candidates that match a condition, as a bitmap that the caller can modify. */
export function evaluateOne(source: FilterSource, condition: Condition, candidates: Bitmap): Bitmap {
  return evaluateCondition(source, condition, candidates);
}

/**
 * Returns the points that match a filter (all without one). Other searches can share the bitmap, so
 * callers must not modify it.
 */
export function evaluateFilter(source: FilterSource, filter: Filter | undefined): Bitmap {
  if (!filter) return source.alive;
  const known = source.filterResults.get(filter);
  if (known) return known;
  const points = evaluateOver(source, filter, source.alive);
  source.filterResults.set(filter, points);
  return points;
}
