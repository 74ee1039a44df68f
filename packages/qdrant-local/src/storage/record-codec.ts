import type { JsonObject } from '../json/types.ts';
import type { PointId } from '../model/point-id.ts';
import type { Vector } from '../model/vectors.ts';
import { type ColumnHead, decodeColumns, encodeColumns } from './column-record.ts';
import type { LogRecord, StoredPoint } from './record.ts';

// An encoded record: u32 length of the head, the head as JSON, zeros up to a multiple of 4, then
// the numbers of all dense vectors (f32) and sparse vectors (u32 indices, f32 values),
// little-endian, in the order of the head.

interface DenseHead {
  readonly name: string;
  readonly rows: readonly number[];
  readonly size: number;
}

interface SparseHead {
  readonly name: string;
  readonly rows: readonly number[];
  readonly lengths: readonly number[];
}

interface Head {
  readonly kind: Exclude<LogRecord['kind'], 'columns'>;
  readonly version: number;
  readonly ids?: readonly PointId[];
  readonly payloads?: readonly JsonObject[];
  readonly versions?: readonly number[];
  readonly names?: readonly string[];
  readonly dense?: readonly DenseHead[];
  readonly sparse?: readonly SparseHead[];
}

type Vectors = ReadonlyMap<string, Vector>;

function bytesOf(view: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function packVectors(all: readonly Vectors[]): { dense: DenseHead[]; sparse: SparseHead[]; blocks: Uint8Array[] } {
  const blocks: Uint8Array[] = [];
  const dense = new Map<string, { rows: number[]; size: number; parts: Float32Array[] }>();
  const sparse = new Map<string, { rows: number[]; lengths: number[]; parts: Uint8Array[] }>();
  all.forEach((vectors, row) => {
    for (const [name, vector] of vectors) {
      if (vector.kind === 'dense') {
        const column = dense.get(name) ?? { rows: [], size: vector.values.length, parts: [] };
        dense.set(name, column);
        column.rows.push(row);
        column.parts.push(vector.values);
      } else {
        const column = sparse.get(name) ?? { rows: [], lengths: [], parts: [] };
        sparse.set(name, column);
        column.rows.push(row);
        column.lengths.push(vector.sparse.indices.length);
        column.parts.push(bytesOf(vector.sparse.indices), bytesOf(vector.sparse.values));
      }
    }
  });
  for (const column of dense.values()) blocks.push(...column.parts.map(bytesOf));
  for (const column of sparse.values()) blocks.push(...column.parts);
  return {
    dense: [...dense].map(([name, { rows, size }]) => ({ name, rows, size })),
    sparse: [...sparse].map(([name, { rows, lengths }]) => ({ name, rows, lengths })),
    blocks,
  };
}

function encode(head: Head, blocks: readonly Uint8Array[]): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const padding = Buffer.alloc((4 - (json.length % 4)) % 4);
  return [Buffer.concat([length, json, padding, ...blocks])];
}

/** Encodes a record as consecutive parts. */
export function encodeRecord(record: LogRecord): Uint8Array[] {
  if (record.kind === 'columns') return encodeColumns(record);
  const { kind, version } = record;
  switch (record.kind) {
    case 'end':
      return encode({ kind, version }, []);
    case 'delete':
      return encode({ kind, version, ids: record.ids }, []);
    case 'dropVectors':
      return encode({ kind, version, ids: record.ids, names: record.names }, []);
    case 'payload':
      return encode(
        { kind, version, ids: record.points.map((p) => p.id), payloads: record.points.map((p) => p.payload) },
        [],
      );
    case 'vectors': {
      const { blocks, ...columns } = packVectors(record.points.map((p) => p.vectors));
      return encode({ kind, version, ids: record.points.map((p) => p.id), ...columns }, blocks);
    }
    case 'put':
    case 'snapshot': {
      const { blocks, ...columns } = packVectors(record.points.map((p) => p.vectors));
      const head = {
        kind,
        version,
        ids: record.points.map((p) => p.id),
        payloads: record.points.map((p) => p.payload),
        ...(record.kind === 'snapshot' && { versions: record.versions }),
        ...columns,
      };
      return encode(head, blocks);
    }
  }
}

/**
 * Reads consecutive typed arrays from a buffer. They are views if the alignment allows it: callers
 * that keep a vector copy it anyway, and millions of small allocations would be slow.
 */
class BlockReader {
  readonly #bytes: Uint8Array;
  #position: number;

  constructor(bytes: Uint8Array, position: number) {
    // `slice` of a Buffer would return a view, not a copy.
    this.#bytes = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
    this.#position = position;
  }

  floats(length: number): Float32Array {
    return new Float32Array(this.#bytes.buffer, this.#take(length), length);
  }

  unsigned(length: number): Uint32Array {
    return new Uint32Array(this.#bytes.buffer, this.#take(length), length);
  }

  #take(length: number): number {
    const start = this.#bytes.byteOffset + this.#position;
    this.#position += length * 4;
    return start;
  }
}

function unpackVectors(head: Head, count: number, blocks: BlockReader): Map<string, Vector>[] {
  const all = Array.from({ length: count }, () => new Map<string, Vector>());
  for (const { name, rows, size } of head.dense ?? [])
    for (const row of rows) all[row]?.set(name, { kind: 'dense', values: blocks.floats(size) });
  for (const { name, rows, lengths } of head.sparse ?? [])
    rows.forEach((row, i) => {
      const length = lengths[i] ?? 0;
      const indices = blocks.unsigned(length);
      all[row]?.set(name, { kind: 'sparse', sparse: { indices, values: blocks.floats(length) } });
    });
  return all;
}

/** Decodes a record of `encodeRecord` whose checksum was already verified. */
export function decodeRecord(bytes: Uint8Array): LogRecord {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headLength = view.readUInt32LE(0);
  const head: Head | ColumnHead = JSON.parse(view.toString('utf8', 4, 4 + headLength));
  if (head.kind === 'columns') return decodeColumns(head, bytes, 4 + headLength);
  const blocks = new BlockReader(bytes, 4 + headLength + ((4 - (headLength % 4)) % 4));
  const ids = head.ids ?? [];
  const { version } = head;
  if (head.kind === 'end') return { kind: 'end', version };
  if (head.kind === 'delete') return { kind: 'delete', version, ids };
  if (head.kind === 'dropVectors') return { kind: 'dropVectors', version, ids, names: head.names ?? [] };
  if (head.kind === 'payload')
    return { kind: 'payload', version, points: ids.map((id, i) => ({ id, payload: head.payloads?.[i] ?? {} })) };
  const vectors = unpackVectors(head, ids.length, blocks);
  if (head.kind === 'vectors')
    return { kind: 'vectors', version, points: ids.map((id, i) => ({ id, vectors: vectors[i] ?? new Map() })) };
  const points: StoredPoint[] = ids.map((id, i) => ({
    id,
    payload: head.payloads?.[i] ?? {},
    vectors: vectors[i] ?? new Map(),
  }));
  if (head.kind === 'put') return { kind: 'put', version, points };
  return { kind: 'snapshot', version, points, versions: head.versions ?? [] };
}
