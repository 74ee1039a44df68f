import { type CapturedIndex, type FieldIndex, type IndexSchema, indexTypes } from '../index/field-index.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../json/types.ts';
import { type PointId, parsePointId } from '../model/point-id.ts';
import { Bitmap } from '../storage/bitmap.ts';
import type { SparseEntry } from '../storage/build-sparse-segment.ts';
import { type ColumnRecord, type Columns, columnOf } from '../storage/column-record.ts';
import type { DenseBlock, DenseSegment } from '../storage/dense-block.ts';
import type { IdTable } from '../storage/id-table.ts';
import type { CapturedPayloads, PayloadStore } from '../storage/payload-store.ts';
import type { LogRecord } from '../storage/record.ts';
import type { CapturedSparse, SparseIndex } from '../storage/sparse-index.ts';
import { type RecordSource, storedPayloads } from './collection-files.ts';

/** The state of a collection at one moment. */
interface CapturedPoints {
  readonly ids: ReturnType<IdTable['capture']>;
  readonly payloads: CapturedPayloads;
  readonly dense: readonly { readonly name: string; readonly segments: readonly DenseSegment[] }[];
  readonly sparse: readonly (CapturedSparse & { readonly name: string })[];
  readonly indexes: readonly (CapturedIndex & { readonly path: string; readonly schema: IndexSchema })[];
}

/** The empty storage that a snapshot is read into. */
interface RestoredPoints {
  readonly ids: IdTable;
  readonly payloads: PayloadStore;
  dense(name: string): DenseBlock | undefined;
  sparse(name: string): SparseIndex | undefined;
  addIndex(path: string, schema: IndexSchema): FieldIndex;
}

function tailColumns(tail: readonly SparseEntry[], present: Bitmap): Columns {
  return {
    present: Uint32Array.from(present.toArray()),
    offsets: Uint32Array.from(tail, ({ offset }) => offset),
    lengths: Uint32Array.from(tail, ({ vector }) => vector.indices.length),
    indices: Uint32Array.from(tail.flatMap(({ vector }) => [...vector.indices])),
    values: Float32Array.from(tail.flatMap(({ vector }) => [...vector.values])),
  };
}

function readTail(record: ColumnRecord): SparseEntry[] {
  const indices = columnOf(record, 'indices', Uint32Array);
  const values = columnOf(record, 'values', Float32Array);
  const lengths = columnOf(record, 'lengths', Uint32Array);
  let start = 0;
  return Array.from(columnOf(record, 'offsets', Uint32Array), (offset, i) => {
    const end = start + (lengths[i] ?? 0);
    const vector = { indices: indices.slice(start, end), values: values.slice(start, end) };
    start = end;
    return { offset, vector };
  });
}

/** Creates the records of a snapshot, one at a time. */
export function* snapshotOf(version: number, points: CapturedPoints): Generator<LogRecord> {
  const record = (part: string, head: JsonObject, columns: Columns): ColumnRecord => ({
    kind: 'columns',
    version,
    part,
    head,
    columns,
  });
  const { ids, offsets, versions } = points.ids;
  yield record('ids', { ids, keys: points.payloads.keys }, { offsets, versions });
  for (const slice of points.payloads.slices) yield record('payloads', {}, { ...slice });
  // Copied, because a row that changes between the checksum and the write would damage the file.
  for (const { name, segments } of points.dense)
    for (const { rows, values } of segments) yield record('dense', { name }, { rows, values: values.slice() });
  for (const { name, segments, tail, present } of points.sparse) {
    for (const segment of segments) yield record('sparse', { name }, { ...segment });
    yield record('sparse tail', { name }, tailColumns(tail, present));
  }
  for (const { path, schema, head, columns } of points.indexes)
    yield record(
      'index',
      { ...head, path, schema: { type: schema.type, ...(schema.params && { params: schema.params }) } },
      columns,
    );
  yield { kind: 'end', version };
}

function readIds({ head }: ColumnRecord): PointId[] {
  return isJsonArray(head.ids) ? head.ids.map((id) => parsePointId(id) ?? 0) : [];
}

function readSchema({ head }: ColumnRecord): IndexSchema | undefined {
  const { schema } = head;
  if (!isJsonObject(schema)) return undefined;
  const type = indexTypes.find((known) => known === schema.type);
  return type && { type, params: isJsonObject(schema.params) ? schema.params : undefined };
}

/** Earlier versions stored indexes into short tables in two bytes, too. */
function sparseValuesOf(record: ColumnRecord): Float32Array | Uint16Array | Uint8Array {
  const { table, values } = record.columns;
  if (!table) return columnOf(record, 'values', Float32Array);
  return values instanceof Uint8Array ? values : columnOf(record, 'values', Uint16Array);
}

/** Adds a part of a snapshot to empty storage. Most columns are adopted without copying. */
export function restorePart(record: ColumnRecord, source: RecordSource | undefined, points: RestoredPoints): void {
  const { part, head } = record;
  const name = String(head.name);
  switch (part) {
    case 'ids':
      points.payloads.restoreKeys(isJsonArray(head.keys) ? head.keys.map(String) : []);
      points.ids.restore(
        readIds(record),
        columnOf(record, 'offsets', Uint32Array),
        columnOf(record, 'versions', Float64Array),
      );
      break;
    case 'payloads':
      for (const slice of storedPayloads(record, () => (source?.position ?? 0) + (record.positions?.bytes ?? 0)))
        if (source) points.payloads.restore(source.openFile(), slice);
      break;
    case 'dense':
      points.dense(name)?.restore({
        rows: columnOf(record, 'rows', Uint32Array),
        values: columnOf(record, 'values', Float32Array),
      });
      break;
    case 'sparse':
      points.sparse(name)?.restoreSegment({
        dimensions: columnOf(record, 'dimensions', Uint32Array),
        starts: columnOf(record, 'starts', Uint32Array),
        slots: columnOf(record, 'slots', Uint16Array),
        table: record.columns.table && columnOf(record, 'table', Float32Array),
        values: sparseValuesOf(record),
        offsets: columnOf(record, 'offsets', Int32Array),
      });
      break;
    case 'sparse tail':
      points.sparse(name)?.restoreRest(readTail(record), Bitmap.of(columnOf(record, 'present', Uint32Array)));
      break;
    case 'index': {
      const schema = readSchema(record);
      if (schema) points.addIndex(String(head.path), schema).restore?.(record);
      break;
    }
    default:
      throw new Error(`The snapshot has an unknown part ${part}: it was written by a later version.`);
  }
}
