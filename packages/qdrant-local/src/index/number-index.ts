import { type FieldCondition, inRange, type Range } from '../filter/types.ts';
import type { JsonValue } from '../json/types.ts';
import { parseDatetimeMicros } from '../model/datetime.ts';
import { Bitmap } from '../storage/bitmap.ts';
import { type ColumnRecord, columnOf } from '../storage/column-record.ts';
import type { CapturedIndex, FieldIndex, IndexSchema } from './field-index.ts';

/** Converts a payload value to the number to index; undefined if it has another type. */
export type NumberReader = (value: JsonValue) => number | undefined;

/** Number readers by index type. */
export const numberReaders = {
  integer: (value: JsonValue) => (typeof value === 'number' && Number.isInteger(value) ? value : undefined),
  float: (value: JsonValue) => (typeof value === 'number' ? value : undefined),
  datetime: (value: JsonValue) => (typeof value === 'string' ? parseDatetimeMicros(value) : undefined),
} as const satisfies Record<string, NumberReader>;

/**
 * A column of numbers by offset, for float and datetime fields and the ranges of integer fields. A
 * range condition scans the column (about 0.1 ms for 50,000 points), so no sorted copy is needed.
 */
export class NumberIndex implements FieldIndex {
  readonly schema: IndexSchema;
  readonly indexed = new Bitmap();
  readonly #read: NumberReader;
  #first = new Float64Array(0);
  readonly #several = new Map<number, readonly number[]>();

  constructor(schema: IndexSchema, read: NumberReader) {
    this.schema = schema;
    this.#read = read;
  }

  add(offset: number, values: readonly JsonValue[]): void {
    const numbers: number[] = [];
    for (const value of values) {
      const number = this.#read(value);
      if (number !== undefined) numbers.push(number);
    }
    this.#set(offset, numbers);
  }

  #set(offset: number, numbers: ArrayLike<number>): void {
    const first = numbers[0];
    if (first === undefined) return;
    if (offset >= this.#first.length) {
      const grown = new Float64Array(Math.max(offset + 1, this.#first.length * 2, 64));
      grown.set(this.#first);
      this.#first = grown;
    }
    this.#first[offset] = first;
    if (numbers.length > 1) this.#several.set(offset, Array.from(numbers));
    this.indexed.add(offset);
  }

  remove(offset: number): void {
    this.indexed.delete(offset);
    this.#several.delete(offset);
  }

  evaluate(condition: FieldCondition): Bitmap | undefined {
    const range = this.schema.type === 'datetime' ? condition.datetimeRange : condition.range;
    const other = this.schema.type === 'datetime' ? condition.range : condition.datetimeRange;
    if (!range || other || condition.match || condition.valuesCount) return undefined;
    if (condition.isEmpty !== undefined || condition.isNull !== undefined) return undefined;
    return this.#inRange(range);
  }

  orderValues(offset: number): readonly number[] {
    if (!this.indexed.has(offset)) return [];
    return this.#several.get(offset) ?? [this.#first[offset] ?? 0];
  }

  capture(): CapturedIndex {
    const numbered = Uint32Array.from(this.indexed.toArray());
    const lists = Array.from(numbered, (offset) => this.orderValues(offset));
    const columns = {
      numbered,
      counts: Uint32Array.from(lists, ({ length }) => length),
      numbers: Float64Array.from(lists.flat()),
    };
    return { head: {}, columns };
  }

  restore(captured: ColumnRecord): void {
    const counts = columnOf(captured, 'counts', Uint32Array);
    const numbers = columnOf(captured, 'numbers', Float64Array);
    let at = 0;
    for (const [i, offset] of columnOf(captured, 'numbered', Uint32Array).entries()) {
      const end = at + (counts[i] ?? 0);
      this.#set(offset, numbers.subarray(at, end));
      at = end;
    }
  }

  #inRange(range: Range): Bitmap {
    // A comparison with NaN is false, so missing bounds do not exclude any number.
    const { gt = Number.NaN, gte = Number.NaN, lt = Number.NaN, lte = Number.NaN } = range;
    const first = this.#first;
    const words = this.indexed.words.slice();
    for (let i = 0; i < words.length; i++) {
      let word = (words[i] ?? 0) | 0;
      let holding = word;
      const before = (i << 5) + 31;
      while (word !== 0) {
        const lowest = word & -word;
        const value = first[before - Math.clz32(lowest)] ?? 0;
        if (value <= gt || value < gte || value >= lt || value > lte) holding ^= lowest;
        word ^= lowest;
      }
      words[i] = holding;
    }
    const result = new Bitmap(words);
    for (const [offset, values] of this.#several) {
      if (values.some((value) => inRange(range, value))) result.add(offset);
      else result.delete(offset);
    }
    return result;
  }
}
