import { shortestFloat32 } from '../json/float32.ts';
import { selectPayload } from '../json/payload-selector.ts';
import type { JsonObject } from '../json/types.ts';
import type { PointId } from '../model/point-id.ts';
import { DEFAULT_VECTOR, type Vector } from '../model/vectors.ts';
import type { Projection, VectorSelector } from '../parse/selectors.ts';
import type { Hit } from '../query/types.ts';
import type { PointStore } from './point-store.ts';

type RenderedVectors = RenderedVector | Readonly<Record<string, RenderedVector>>;
type RenderedVector = readonly number[] | { readonly indices: readonly number[]; readonly values: readonly number[] };

/** A point as it is answered. */
export interface RenderedPoint {
  readonly id: PointId;
  readonly version?: number;
  readonly score?: number;
  readonly payload?: JsonObject;
  readonly vector?: RenderedVectors;
  readonly order_value?: number;
}

function renderVector(vector: Vector): RenderedVector {
  if (vector.kind === 'dense') return Array.from(vector.values, shortestFloat32);
  return { indices: [...vector.sparse.indices], values: Array.from(vector.sparse.values, shortestFloat32) };
}

function renderVectors(store: PointStore, offset: number, selector: VectorSelector): RenderedVectors {
  const vectors = store.vectorsAt(offset);
  const wanted = [...vectors].filter(([name]) => selector === true || (selector !== false && selector.includes(name)));
  const unnamed = vectors.get(DEFAULT_VECTOR);
  if (unnamed && wanted.every(([name]) => name === DEFAULT_VECTOR)) return renderVector(unnamed);
  return Object.fromEntries(wanted.map(([name, vector]) => [name, renderVector(vector)]));
}

/** A point with what the projection asks for. */
export function renderPoint(store: PointStore, offset: number, projection: Projection): RenderedPoint {
  const payload = selectPayload(projection.payload, store.payloadAt(offset));
  const id = store.idAt(offset);
  // Nearly every request asks for payload alone, and for hundreds of points.
  if (projection.vectors === false) return payload ? { id, payload } : { id };
  const vector = renderVectors(store, offset, projection.vectors);
  return payload ? { id, payload, vector } : { id, vector };
}

/** A hit of a query with its score and version. */
export function renderHit(store: PointStore, hit: Hit, projection: Projection): RenderedPoint {
  const { id, payload, vector } = renderPoint(store, hit.offset, projection);
  return {
    id,
    version: hit.unversioned ? 0 : store.ids.versionAt(hit.offset),
    score: shortestFloat32(hit.score),
    ...(payload && { payload }),
    ...(vector !== undefined && { vector }),
    ...(hit.orderValue !== undefined && { order_value: hit.orderValue }),
  };
}
