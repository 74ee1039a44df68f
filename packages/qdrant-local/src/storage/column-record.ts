import type { JsonObject } from '../json/types.ts';

const columnTypes = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

type ColumnType = keyof typeof columnTypes;

/** An array of numbers that a snapshot stores as it is in memory (little-endian). */
export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Columns by name. */
export type Columns = Readonly<Record<string, Column | undefined>>;

/**
 * A part of a snapshot: JSON and columns that memory adopts unchanged. Each part of the storage
 * reads and writes its own kinds.
 */
export interface ColumnRecord {
  readonly kind: 'columns';
  readonly version: number;
  readonly part: string;
  readonly head: JsonObject;
  readonly columns: Columns;
  /** The positions of the columns in the encoded record, if it was read. */
  readonly positions?: Readonly<Record<string, number>>;
}

/** The JSON at the start of an encoded record. */
export interface ColumnHead {
  readonly kind: 'columns';
  readonly version: number;
  readonly part: string;
  readonly head: JsonObject;
  readonly layout: readonly (readonly [name: string, type: ColumnType, length: number])[];
}

// Columns start at multiples of this, so that they can be read in place.
const alignment = 8;

function paddingAfter(length: number): number {
  return (alignment - (length % alignment)) % alignment;
}

function typeOf(column: Column): ColumnType {
  for (const type of ['u8', 'u16', 'u32', 'i32', 'f32', 'f64'] as const)
    if (column instanceof columnTypes[type]) return type;
  throw new Error('The column has an unknown type.');
}

/**
 * Encodes a record without copying its columns: u32 length of the head, the head as JSON, then the
 * columns, each preceded by zeros up to a multiple of 8.
 */
export function encodeColumns({ kind, version, part, head, columns }: ColumnRecord): Uint8Array[] {
  const present = Object.entries(columns).flatMap(([name, column]) => (column ? [[name, column] as const] : []));
  const layout = present.map(([name, column]) => [name, typeOf(column), column.length] as const);
  const json = Buffer.from(JSON.stringify({ kind, version, part, head, layout } satisfies ColumnHead));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const parts: Uint8Array[] = [length, json, Buffer.alloc(paddingAfter(4 + json.length))];
  for (const [, column] of present) {
    parts.push(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    const padding = paddingAfter(column.byteLength);
    if (padding > 0) parts.push(Buffer.alloc(padding));
  }
  return parts;
}

/** Returns the position of a column's bytes in an encoded record. */
export function positionOf(encoded: readonly Uint8Array[], { buffer, byteOffset }: Column): number {
  let position = 0;
  for (const part of encoded) {
    if (part.buffer === buffer && part.byteOffset === byteOffset) return position;
    position += part.byteLength;
  }
  throw new Error('The record does not contain the column.');
}

/**
 * Decodes a record whose head was already parsed. The columns are views of `bytes` if its alignment
 * allows it.
 */
export function decodeColumns(
  { kind, version, part, head, layout }: ColumnHead,
  bytes: Uint8Array,
  headEnd: number,
): ColumnRecord {
  const { buffer, byteOffset } = bytes;
  const canShare = byteOffset % alignment === 0 && buffer instanceof ArrayBuffer;
  const [source, start] = canShare ? [buffer, byteOffset] : [new Uint8Array(bytes).buffer, 0];
  let position = headEnd + paddingAfter(headEnd);
  const columns: Record<string, Column> = {};
  const positions: Record<string, number> = {};
  for (const [name, type, length] of layout) {
    const column = new columnTypes[type](source, start + position, length);
    columns[name] = column;
    positions[name] = position;
    position += column.byteLength + paddingAfter(column.byteLength);
  }
  return { kind, version, part, head, columns, positions };
}

/** Returns a column of a type. @throws Error if the record has none, which no crash can cause */
export function columnOf<T extends Column>(
  { part, columns }: ColumnRecord,
  name: string,
  type: new (length: number) => T,
): T {
  const column = columns[name];
  if (!(column instanceof type)) throw new Error(`The snapshot's part ${part} has no column ${name}.`);
  return column;
}
