import type { FieldCondition } from '../filter/types.ts';
import type { JsonObject, JsonValue } from '../json/types.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import type { IdSet } from '../storage/id-set.ts';

/** The kinds of payload index this server has. */
export type IndexType = 'keyword' | 'integer' | 'float' | 'bool' | 'datetime' | 'uuid' | 'text';

/** A payload index as it was asked for. */
export interface IndexSchema {
  readonly type: IndexType;
  /** The parameters as given, answered back in the collection's info; undefined for the short form. */
  readonly params: JsonObject | undefined;
}

/** A value that facets count. */
export type FacetValue = string | number | boolean;

/** An index over one payload field. `values` are the field's values with arrays spread one level. */
export interface FieldIndex {
  readonly schema: IndexSchema;
  /** The points that have at least one value of the index's type. */
  readonly indexed: Bitmap;
  add(offset: number, values: readonly JsonValue[]): void;
  remove(offset: number, values: readonly JsonValue[]): void;
  /** The points that match the condition, or undefined if this index cannot answer it. */
  evaluate(condition: FieldCondition): Bitmap | undefined;
  /** Value → points, where the type can be faceted. */
  facet?(): Iterable<readonly [FacetValue, IdSet]>;
  /** The numbers to order by (dates in microseconds) of one point, where the type can be ordered. */
  orderValues?(offset: number): readonly number[];
}
