import type { JsonObject } from '../json/types.ts';
import type { PointId } from '../model/point-id.ts';
import type { Vector } from '../model/vectors.ts';

/** A whole point as it is stored: what it has now, nothing else. */
export interface StoredPoint {
  readonly id: PointId;
  readonly payload: JsonObject;
  readonly vectors: ReadonlyMap<string, Vector>;
}

/**
 * One entry of the log. Every entry states what its points are afterwards, never how to change them, so applying one
 * twice, or over a snapshot that already holds its effect, changes nothing.
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
  /** In snapshots only: points with the version each was last changed at. */
  | {
      readonly kind: 'snapshot';
      readonly version: number;
      readonly points: readonly StoredPoint[];
      readonly versions: readonly number[];
    }
  /** The last entry of a complete snapshot. */
  | { readonly kind: 'end'; readonly version: number };
