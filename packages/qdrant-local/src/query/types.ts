import type { Condition, Filter } from '../filter/types.ts';
import type { JsonPath } from '../json/path.ts';
import type { JsonValue } from '../json/types.ts';
import type { PointId } from '../model/point-id.ts';
import type { Vector } from '../model/vectors.ts';

/** A parsed `order_by`. `startFrom` is inclusive; dates are in microseconds. */
export interface OrderBy {
  readonly path: JsonPath;
  readonly direction: 'asc' | 'desc';
  readonly startFrom: number | undefined;
}

/** A vector: given, or that of a point. */
export type VectorExample =
  | { readonly kind: 'vector'; readonly vector: Vector }
  | { readonly kind: 'point'; readonly id: PointId };

/** The vector of a query: one example, or an average of several dense ones. */
export type VectorInput =
  | VectorExample
  | {
      readonly kind: 'average';
      readonly positive: readonly VectorExample[];
      readonly negative: readonly VectorExample[];
    };

/** An arithmetic expression over scores and payload. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'score'; readonly prefetch: number }
  | { readonly kind: 'payload'; readonly path: JsonPath }
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'datetime'; readonly path: JsonPath }
  | { readonly kind: 'geoDistance'; readonly path: JsonPath; readonly lon: number; readonly lat: number }
  | { readonly kind: 'sum' | 'mult'; readonly terms: readonly Expression[] }
  | { readonly kind: 'neg' | 'abs' | 'sqrt' | 'exp' | 'log10' | 'ln'; readonly of: Expression }
  | { readonly kind: 'pow'; readonly base: Expression; readonly exponent: Expression }
  | {
      readonly kind: 'div';
      readonly left: Expression;
      readonly right: Expression;
      readonly byZeroDefault: number | undefined;
    }
  | {
      readonly kind: 'decay';
      readonly shape: 'lin' | 'exp' | 'gauss';
      readonly x: Expression;
      readonly target: Expression | undefined;
      readonly lambda: number;
    };

/** A formula with defaults for missing payload values. */
export interface Formula {
  readonly expression: Expression;
  readonly scoreDefaults: ReadonlyMap<number, number>;
  /** By canonical path. */
  readonly payloadDefaults: ReadonlyMap<string, JsonValue>;
}

/** The scoring of a stage. */
export type Query =
  | { readonly kind: 'nearest'; readonly input: VectorInput }
  | { readonly kind: 'rrf'; readonly k: number; readonly weights: readonly number[] | undefined }
  | { readonly kind: 'dbsf' }
  | { readonly kind: 'formula'; readonly formula: Formula }
  | { readonly kind: 'orderBy'; readonly orderBy: OrderBy }
  | { readonly kind: 'sample' };

/** Another collection in which a point's vector is looked up. */
export interface Lookup {
  readonly collection: string;
  readonly vector: string | undefined;
}

/** One stage: candidates from the prefetches (or the whole collection), scored by the query. */
export interface QueryStage {
  readonly prefetch: readonly QueryStage[];
  readonly query: Query | undefined;
  readonly using: string;
  readonly filter: Filter | undefined;
  /** The points that the IDF statistics include; all if undefined. */
  readonly idfCorpus: Filter | undefined;
  readonly scoreThreshold: number | undefined;
  readonly limit: number;
  readonly lookup: Lookup | undefined;
}

/** A scored point in a stage's result. */
export interface Hit {
  readonly offset: number;
  readonly score: number;
  readonly orderValue?: number;
  /** Version 0 for points of an order, a sample or an unscored listing, as in Qdrant. */
  readonly unversioned?: boolean;
}
