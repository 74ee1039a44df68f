import type { FieldCondition, Match } from '../filter/types.ts';
import { isJsonArray, type JsonValue } from '../json/types.ts';
import { parseUuid } from '../model/point-id.ts';
import { Bitmap } from '../storage/bitmap.ts';
import { type ColumnRecord, columnOf } from '../storage/column-record.ts';
import { IdSet } from '../storage/id-set.ts';
import type { CapturedIndex, FacetValue, FieldIndex, IndexSchema } from './field-index.ts';

/** Converts a payload or query value to the index's key; undefined if it has another type. */
export type KeyReader = (value: JsonValue) => FacetValue | undefined;

/** Key readers by index type. */
export const keyReaders = {
  keyword: (value: JsonValue) => (typeof value === 'string' ? value : undefined),
  integer: (value: JsonValue) => (typeof value === 'number' && Number.isInteger(value) ? value : undefined),
  bool: (value: JsonValue) => (typeof value === 'boolean' ? value : undefined),
  uuid: (value: JsonValue) => (typeof value === 'string' ? parseUuid(value) : undefined),
} as const satisfies Record<string, KeyReader>;

/** An index from values to points, for keyword, integer, bool and uuid fields. */
export class MapIndex implements FieldIndex {
  readonly schema: IndexSchema;
  readonly indexed = new Bitmap();
  readonly #keyOf: KeyReader;
  readonly #points = new Map<FacetValue, IdSet>();

  constructor(schema: IndexSchema, keyOf: KeyReader) {
    this.schema = schema;
    this.#keyOf = keyOf;
  }

  add(offset: number, values: readonly JsonValue[]): void {
    for (const value of values) {
      const key = this.#keyOf(value);
      if (key === undefined) continue;
      let points = this.#points.get(key);
      if (!points) {
        points = new IdSet();
        this.#points.set(key, points);
      }
      points.add(offset);
      this.indexed.add(offset);
    }
  }

  remove(offset: number, values: readonly JsonValue[]): void {
    this.indexed.delete(offset);
    for (const value of values) {
      const key = this.#keyOf(value);
      if (key === undefined) continue;
      const points = this.#points.get(key);
      points?.delete(offset);
      if (points?.size === 0) this.#points.delete(key);
    }
  }

  evaluate(condition: FieldCondition): Bitmap | undefined {
    const { match } = condition;
    // The parts of a condition are alternatives, which one index cannot evaluate alone.
    if (!match || condition.range || condition.datetimeRange) return undefined;
    if (condition.valuesCount || condition.isEmpty !== undefined || condition.isNull !== undefined) return undefined;
    return this.#evaluateMatch(match);
  }

  facet(): Iterable<readonly [FacetValue, IdSet]> {
    return this.#points;
  }

  capture(): CapturedIndex {
    const lists = Array.from(this.#points.values(), (points) => points.toArray());
    const lengths = Uint32Array.from(lists, ({ length }) => length);
    const points = new Uint32Array(lengths.reduce((sum, length) => sum + length, 0));
    let at = 0;
    for (const list of lists) {
      points.set(list, at);
      at += list.length;
    }
    const indexed = Uint32Array.from(this.indexed.toArray());
    return { head: { keys: [...this.#points.keys()] }, columns: { lengths, points, indexed } };
  }

  restore(captured: ColumnRecord): void {
    const keys = captured.head.keys ?? null;
    const lengths = columnOf(captured, 'lengths', Uint32Array);
    const points = columnOf(captured, 'points', Uint32Array);
    let at = 0;
    for (const [i, key] of isJsonArray(keys) ? keys.entries() : []) {
      const end = at + (lengths[i] ?? 0);
      if (typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean')
        this.#points.set(key, IdSet.of(points.subarray(at, end)));
      at = end;
    }
    for (const offset of columnOf(captured, 'indexed', Uint32Array)) this.indexed.add(offset);
  }

  #evaluateMatch(match: Match): Bitmap | undefined {
    const result = new Bitmap();
    switch (match.kind) {
      case 'value': {
        const key = this.#keyOf(match.value);
        if (key === undefined) return undefined;
        this.#points.get(key)?.addTo(result);
        return result;
      }
      case 'any': {
        const keys = this.#keysOf(match.values);
        if (!keys) return undefined;
        for (const key of keys) this.#points.get(key)?.addTo(result);
        return result;
      }
      case 'except': {
        const keys = this.#keysOf(match.values);
        if (!keys || keys.size === 0) return undefined;
        for (const [key, points] of this.#points) if (!keys.has(key)) points.addTo(result);
        return result;
      }
      case 'prefix':
        if (this.schema.type !== 'keyword') return undefined;
        for (const [key, points] of this.#points)
          if (typeof key === 'string' && key.startsWith(match.prefix)) points.addTo(result);
        return result;
      case 'text':
      case 'textAny':
      case 'phrase':
        return undefined;
    }
  }

  #keysOf(values: ReadonlySet<string | number>): Set<FacetValue> | undefined {
    const keys = new Set<FacetValue>();
    for (const value of values) {
      const key = this.#keyOf(value);
      if (key === undefined) return undefined;
      keys.add(key);
    }
    return keys;
  }
}
