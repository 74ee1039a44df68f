import { shortestFloat32 } from '../json/float32.ts';
import { type PayloadSelector, selectPayload, topLevelKeys } from '../json/payload-selector.ts';
import { DEFAULT_VECTOR, type Vector } from '../model/vectors.ts';
import type { Projection, VectorSelector } from '../parse/selectors.ts';
import type { Hit } from '../query/types.ts';
import type { PointStore } from './point-store.ts';

type RenderedVector = readonly number[] | { readonly indices: readonly number[]; readonly values: readonly number[] };

/** Writes points as JSON text, with what a request asks for of each. */
export interface PointWriter {
  point(offset: number): string;
  /** A point of a list: with its place in an order, where it has one. */
  listed(hit: Hit): string;
  /** A hit of a query: with its score and version too. */
  hit(hit: Hit): string;
}

function renderVector(vector: Vector): RenderedVector {
  if (vector.kind === 'dense') return Array.from(vector.values, shortestFloat32);
  return { indices: [...vector.sparse.indices], values: Array.from(vector.sparse.values, shortestFloat32) };
}

function vectorsText(store: PointStore, offset: number, selector: VectorSelector): string {
  const vectors = store.vectorsAt(offset);
  const wanted = [...vectors].filter(([name]) => selector === true || (selector !== false && selector.includes(name)));
  const unnamed = vectors.get(DEFAULT_VECTOR);
  if (unnamed && wanted.every(([name]) => name === DEFAULT_VECTOR)) return JSON.stringify(renderVector(unnamed));
  return JSON.stringify(Object.fromEntries(wanted.map(([name, vector]) => [name, renderVector(vector)])));
}

// Payloads are stored as text: all of one, or whole fields of it, are copied without being read.
function createPayloadText(store: PointStore, selector: PayloadSelector): ((offset: number) => string) | undefined {
  if (selector.kind === 'none') return undefined;
  if (selector.kind === 'all') return (offset) => store.payloads.text(offset);
  const keys = selector.kind === 'include' ? topLevelKeys(selector.paths) : undefined;
  if (keys) return store.payloads.createPicker(keys);
  return (offset) => JSON.stringify(selectPayload(selector, store.payloadAt(offset)));
}

/** A writer for one request. */
export function createPointWriter(store: PointStore, { payload, vectors }: Projection): PointWriter {
  const payloadText = createPayloadText(store, payload);
  const rest = (offset: number): string =>
    `${payloadText ? `,"payload":${payloadText(offset)}` : ''}${vectors === false ? '' : `,"vector":${vectorsText(store, offset, vectors)}`}`;
  const idText = (offset: number): string => {
    const id = store.idAt(offset);
    // A UUID has nothing to escape.
    return typeof id === 'number' ? `{"id":${id}` : `{"id":"${id}"`;
  };
  const order = ({ orderValue }: Hit): string => (orderValue === undefined ? '' : `,"order_value":${orderValue}`);
  return {
    point: (offset) => `${idText(offset)}${rest(offset)}}`,
    listed: (hit) => `${idText(hit.offset)}${rest(hit.offset)}${order(hit)}}`,
    hit: (hit) => {
      const version = hit.unversioned ? 0 : store.ids.versionAt(hit.offset);
      const score = JSON.stringify(shortestFloat32(hit.score));
      return `${idText(hit.offset)},"version":${version},"score":${score}${rest(hit.offset)}${order(hit)}}`;
    },
  };
}
