import type { FieldCondition } from '../filter/types.ts';
import type { JsonObject, JsonValue } from '../json/types.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import type { ColumnRecord } from '../storage/column-record.ts';
import type { IdSet } from '../storage/id-set.ts';

/** The supported types of payload indexes. */
export const indexTypes = ['keyword', 'integer', 'float', 'bool', 'datetime', 'uuid', 'text'] as const;

type IndexType = (typeof indexTypes)[number];

/** The requested configuration of a payload index. */
export interface IndexSchema {
  readonly type: IndexType;
  /** The parameters as given, returned in the collection's info; undefined for the short form. */
  readonly params: JsonObject | undefined;
}

/** A value that facets count. */
export type FacetValue = string | number | boolean;

/** An index as JSON and columns. */
export type CapturedIndex = Pick<ColumnRecord, 'head' | 'columns'>;

/**
 * An index of one payload field. `values` are the field's values, with arrays flattened one level.
 */
export interface FieldIndex {
  readonly schema: IndexSchema;
  /** The points that have at least one value of the index's type. */
  readonly indexed: Bitmap;
  add(offset: number, values: readonly JsonValue[]): void;
  remove(offset: number, values: readonly JsonValue[]): void;
  /** Returns the points that match the condition, or undefined if the index does not support it. */
  evaluate(condition: FieldCondition): Bitmap | undefined;
  /** Value → points, if the type supports facets. */
  facet?(): Iterable<readonly [FacetValue, IdSet]>;
  /** Returns the order values of a point (dates in microseconds), if the type supports ordering. */
  orderValues?(offset: number): readonly number[];
  /** Returns a copy of the index for a snapshot, if the type supports it. Others are built again. */
  capture?(): CapturedIndex;
  /** Fills an empty index with a captured one. */
  restore?(captured: ColumnRecord): void;
}
