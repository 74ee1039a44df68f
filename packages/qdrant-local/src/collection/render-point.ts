import { shortestFloat32 } from '../json/float32.ts';
import type { JsonWriter } from '../json/json-writer.ts';
import { type PayloadSelector, selectPayload, topLevelKeys } from '../json/payload-selector.ts';
import { DEFAULT_VECTOR, type Vector } from '../model/vectors.ts';
import type { Projection, VectorSelector } from '../parse/selectors.ts';
import type { Hit } from '../query/types.ts';
import type { PointStore } from './point-store.ts';

type RenderedVector = readonly number[] | { readonly indices: readonly number[]; readonly values: readonly number[] };

/** Writes points as JSON with the requested parts. */
export interface PointWriter {
  point(offset: number): void;
  /** Writes a point of a list, with its order value if the list is ordered. */
  listed(hit: Hit): void;
  /** Writes a hit of a query, with its score and version. */
  hit(hit: Hit): void;
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

type WritePart = (offset: number, to: JsonWriter) => void;

// Payloads are stored as text. Complete payloads and top-level fields are copied without parsing.
function createPayloadPart(store: PointStore, selector: PayloadSelector): WritePart | undefined {
  const { payloads } = store;
  if (selector.kind === 'none') return undefined;
  if (selector.kind === 'all') return (offset, to) => payloads.write(offset, to);
  const keys = selector.kind === 'include' ? topLevelKeys(selector.paths) : undefined;
  if (keys) return payloads.createPicker(keys);
  return (offset, to) => to.text(JSON.stringify(selectPayload(selector, store.payloadAt(offset))));
}

/** Creates a writer for one request. */
export function createPointWriter(store: PointStore, { payload, vectors }: Projection, to: JsonWriter): PointWriter {
  const writePayload = createPayloadPart(store, payload);
  // Written in short parts, which is fast: a search has hundreds of hits.
  const writeStart = (offset: number): void => {
    const id = store.idAt(offset);
    if (typeof id === 'number') {
      to.text('{"id":');
      to.integer(id);
      return;
    }
    // A UUID needs no escaping.
    to.text('{"id":"');
    to.text(id);
    to.text('"');
  };
  const writeRest = (offset: number, orderValue: number | undefined): void => {
    if (writePayload) {
      to.text(',"payload":');
      writePayload(offset, to);
    }
    if (vectors !== false) to.text(`,"vector":${vectorsText(store, offset, vectors)}`);
    if (orderValue !== undefined) to.text(`,"order_value":${orderValue}`);
    to.text('}');
  };
  return {
    point: (offset) => {
      writeStart(offset);
      writeRest(offset, undefined);
    },
    listed: ({ offset, orderValue }) => {
      writeStart(offset);
      writeRest(offset, orderValue);
    },
    hit: ({ offset, score, unversioned, orderValue }) => {
      const version = unversioned ? 0 : store.ids.versionAt(offset);
      writeStart(offset);
      to.text(',"version":');
      to.integer(version);
      to.text(',"score":');
      to.float32(score);
      writeRest(offset, orderValue);
    },
  };
}
