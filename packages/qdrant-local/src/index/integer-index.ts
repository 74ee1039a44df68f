import type { FieldCondition } from '../filter/types.ts';
import type { JsonValue } from '../json/types.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import type { ColumnRecord } from '../storage/column-record.ts';
import type { IdSet } from '../storage/id-set.ts';
import type { CapturedIndex, FacetValue, FieldIndex, IndexSchema } from './field-index.ts';
import { keyReaders, MapIndex } from './map-index.ts';
import { NumberIndex, numberReaders } from './number-index.ts';

/** An index of integers: a map for equality and a column for ranges. */
export class IntegerIndex implements FieldIndex {
  readonly schema: IndexSchema;
  readonly #map: MapIndex;
  readonly #column: NumberIndex;

  constructor(schema: IndexSchema) {
    this.schema = schema;
    this.#map = new MapIndex(schema, keyReaders.integer);
    this.#column = new NumberIndex(schema, numberReaders.integer);
  }

  get indexed(): Bitmap {
    return this.#map.indexed;
  }

  add(offset: number, values: readonly JsonValue[]): void {
    this.#map.add(offset, values);
    this.#column.add(offset, values);
  }

  remove(offset: number, values: readonly JsonValue[]): void {
    this.#map.remove(offset, values);
    this.#column.remove(offset);
  }

  evaluate(condition: FieldCondition): Bitmap | undefined {
    return this.#map.evaluate(condition) ?? this.#column.evaluate(condition);
  }

  facet(): Iterable<readonly [FacetValue, IdSet]> {
    return this.#map.facet();
  }

  orderValues(offset: number): readonly number[] {
    return this.#column.orderValues(offset);
  }

  capture(): CapturedIndex {
    const { head, columns } = this.#map.capture();
    return { head, columns: { ...columns, ...this.#column.capture().columns } };
  }

  restore(captured: ColumnRecord): void {
    this.#map.restore(captured);
    this.#column.restore(captured);
  }
}
