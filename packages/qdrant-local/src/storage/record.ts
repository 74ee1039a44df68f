import type { JsonObject } from '../json/types.ts';
import type { PointId } from '../model/point-id.ts';
import type { Vector } from '../model/vectors.ts';
import type { ColumnRecord } from './column-record.ts';

/** The complete state of a point. */
export interface StoredPoint {
  readonly id: PointId;
  readonly payload: JsonObject;
  readonly vectors: ReadonlyMap<string, Vector>;
}

/**
 * An entry of the log. It contains the new state of its points, never a change, so applying it
 * twice or to a snapshot that already includes it changes nothing.
 */
export type LogRecord =
  | { readonly kind: 'put'; readonly version: number; readonly points: readonly StoredPoint[] }
  | {
      readonly kind: 'payload';
      readonly version: number;
      readonly points: readonly { readonly id: PointId; readonly payload: JsonObject }[];
    }
  | {
      readonly kind: 'vectors';
      readonly version: number;
      readonly points: readonly { readonly id: PointId; readonly vectors: ReadonlyMap<string, Vector> }[];
    }
  | {
      readonly kind: 'dropVectors';
      readonly version: number;
      readonly ids: readonly PointId[];
      readonly names: readonly string[];
    }
  | { readonly kind: 'delete'; readonly version: number; readonly ids: readonly PointId[] }
  /** Only in snapshots: a part of the memory. */
  | ColumnRecord
  /** Only in snapshots of earlier versions: points with the version of their last change. */
  | {
      readonly kind: 'snapshot';
      readonly version: number;
      readonly points: readonly StoredPoint[];
      readonly versions: readonly number[];
    }
  /** The last entry of a complete snapshot. */
  | { readonly kind: 'end'; readonly version: number };
