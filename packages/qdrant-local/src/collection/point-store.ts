import { isDeepStrictEqual } from 'node:util';
import { FilterResults } from '../filter/filter-results.ts';
import { createFieldIndex } from '../index/create-index.ts';
import type { FieldIndex, IndexSchema } from '../index/field-index.ts';
import { flatValuesAt, type JsonPath, parseJsonPath, topKeyOf } from '../json/path.ts';
import type { JsonObject } from '../json/types.ts';
import type { PointId } from '../model/point-id.ts';
import type { Vector } from '../model/vectors.ts';
import type { SearchSource, VectorField } from '../query/search-source.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import { DenseBlock } from '../storage/dense-block.ts';
import { IdTable } from '../storage/id-table.ts';
import type { PayloadFile } from '../storage/payload-file.ts';
import { PayloadStore, type StoredSlice } from '../storage/payload-store.ts';
import type { LogRecord, StoredPoint } from '../storage/record.ts';
import { SparseIndex } from '../storage/sparse-index.ts';
import type { RecordSource } from './collection-files.ts';
import type { CollectionConfig } from './config.ts';
import { restorePart, snapshotOf } from './snapshot.ts';

/** The state of the points for a snapshot. */
export interface CapturedStore {
  readonly records: Iterable<LogRecord>;
  /** Makes the snapshot's file the place of its payloads. */
  movePayloads(file: PayloadFile, slices: readonly StoredSlice[]): void;
  /** Called after the records were read. */
  release(): void;
}

/**
 * The points of a collection in memory: ids, payloads, vectors and indexes. Only log records change
 * them.
 */
export class PointStore implements Omit<SearchSource, 'resolveInput' | 'isOwnLookup'> {
  readonly ids = new IdTable();
  /** Payloads as text. */
  readonly payloads = new PayloadStore();
  readonly filterResults = new FilterResults();
  readonly #dense = new Map<string, DenseBlock>();
  readonly #sparse = new Map<string, SparseIndex>();
  readonly #idf = new Map<string, boolean>();
  readonly #indexes = new Map<string, { readonly path: JsonPath; readonly index: FieldIndex }>();

  constructor(config: CollectionConfig) {
    for (const [name, { size, distance }] of Object.entries(config.dense))
      this.#dense.set(name, new DenseBlock(size, distance));
    for (const [name, { idf }] of Object.entries(config.sparse)) this.setSparse(name, idf);
  }

  get alive(): Bitmap {
    return this.ids.alive;
  }

  /** True while points are read from disk, before any search. */
  setLoading(isLoading: boolean): void {
    for (const index of this.#sparse.values()) index.setLoading(isLoading);
  }

  /** Adds a sparse vector, or changes its modifier. */
  setSparse(name: string, idf: boolean): void {
    if (!this.#sparse.has(name)) this.#sparse.set(name, new SparseIndex());
    this.#idf.set(name, idf);
  }

  offsetOf(id: PointId): number | undefined {
    return this.ids.offsetOf(id);
  }

  idAt(offset: number): PointId {
    return this.ids.idAt(offset);
  }

  sortedIds(): readonly PointId[] {
    return this.ids.sortedIds();
  }

  payloadAt(offset: number): JsonObject {
    return JSON.parse(this.payloads.text(offset));
  }

  fieldReader(key: string): (offset: number) => JsonObject {
    return this.payloads.createReader(key);
  }

  vectorField(name: string): VectorField | undefined {
    const block = this.#dense.get(name);
    if (block) return { kind: 'dense', block };
    const index = this.#sparse.get(name);
    return index && { kind: 'sparse', index, idf: this.#idf.get(name) === true };
  }

  vectorPresence(name: string): Bitmap | undefined {
    return this.#dense.get(name)?.present ?? this.#sparse.get(name)?.present;
  }

  vectorAt(offset: number, name: string): Vector | undefined {
    const values = this.#dense.get(name)?.get(offset);
    if (values) return { kind: 'dense', values };
    const sparse = this.#sparse.get(name)?.get(offset);
    return sparse && { kind: 'sparse', sparse };
  }

  /** Returns all vectors of a point, by name. */
  vectorsAt(offset: number): Map<string, Vector> {
    const vectors = new Map<string, Vector>();
    for (const name of [...this.#dense.keys(), ...this.#sparse.keys()]) {
      const vector = this.vectorAt(offset, name);
      if (vector) vectors.set(name, vector);
    }
    return vectors;
  }

  pointAt(offset: number): StoredPoint {
    return { id: this.idAt(offset), payload: this.payloadAt(offset), vectors: this.vectorsAt(offset) };
  }

  /** Returns the number of vectors of all names. */
  vectorCount(): number {
    let total = 0;
    for (const block of this.#dense.values()) total += block.present.count();
    for (const index of this.#sparse.values()) total += index.present.count();
    return total;
  }

  fieldIndex(path: string): FieldIndex | undefined {
    return this.#indexes.get(path)?.index;
  }

  indexes(): Iterable<readonly [string, FieldIndex]> {
    return [...this.#indexes].map(([path, { index }]) => [path, index] as const);
  }

  /** Builds an index of the existing points. Later changes update it. */
  createIndex(pathText: string, schema: IndexSchema): void {
    const path = parseJsonPath(pathText);
    if (!path) throw new Error(`${pathText} is not a payload path`);
    const index = createFieldIndex(schema);
    const payloadAt = this.fieldReader(topKeyOf(path));
    this.alive.forEach((offset) => {
      index.add(offset, flatValuesAt(path, payloadAt(offset)));
    });
    this.#indexes.set(path.text, { path, index });
    this.filterResults.clear();
  }

  dropIndex(pathText: string): void {
    this.filterResults.clear();
    this.#indexes.delete(pathText);
  }

  /** Returns whether an index of this path and schema exists. */
  hasIndex(pathText: string, schema: IndexSchema): boolean {
    const known = this.#indexes.get(pathText)?.index.schema;
    return known?.type === schema.type && isDeepStrictEqual(known.params, schema.params);
  }

  /**
   * Returns the records of a snapshot. The state is that of this call, although the records are
   * created while they are iterated.
   */
  capture(version: number): CapturedStore {
    const payloads = this.payloads.capture();
    const records = snapshotOf(version, {
      ids: this.ids.capture(),
      payloads,
      dense: [...this.#dense].map(([name, block]) => ({ name, segments: block.capture() })),
      sparse: [...this.#sparse].map(([name, index]) => ({ name, ...index.capture() })),
      indexes: [...this.#indexes].flatMap(([path, { index }]) => {
        const captured = index.capture?.();
        return captured ? [{ path, schema: index.schema, ...captured }] : [];
      }),
    });
    return {
      records,
      movePayloads: (file, slices) => payloads.moveTo(file, slices),
      release: () => payloads.release(),
    };
  }

  /** Closes the files of the payloads. */
  close(): void {
    this.payloads.close();
  }

  /** Applies a record to the points. Payloads of a snapshot stay where they are. */
  apply(record: LogRecord, source?: RecordSource): void {
    this.filterResults.clear();
    switch (record.kind) {
      case 'put':
        for (const point of record.points) this.#put(point, record.version);
        break;
      case 'snapshot':
        record.points.forEach((point, i) => {
          this.#put(point, record.versions[i] ?? record.version);
        });
        break;
      case 'payload':
        for (const { id, payload } of record.points)
          this.#update(id, record.version, (offset) => this.#setPayload(offset, payload));
        break;
      case 'vectors':
        for (const { id, vectors } of record.points)
          this.#update(id, record.version, (offset) => this.#setVectors(offset, vectors));
        break;
      case 'dropVectors':
        for (const id of record.ids)
          this.#update(id, record.version, (offset) => {
            for (const name of record.names) this.#dropVector(offset, name);
          });
        break;
      case 'delete':
        for (const id of record.ids) this.#delete(id);
        break;
      case 'columns':
        restorePart(record, source, {
          ids: this.ids,
          payloads: this.payloads,
          dense: (name) => this.#dense.get(name),
          sparse: (name) => this.#sparse.get(name),
          addIndex: (pathText, schema) => {
            const path = parseJsonPath(pathText);
            const index = createFieldIndex(schema);
            if (path) this.#indexes.set(path.text, { path, index });
            return index;
          },
        });
        break;
      case 'end':
        break;
    }
  }

  #put(point: StoredPoint, version: number): void {
    const known = this.ids.offsetOf(point.id);
    const offset = known ?? this.ids.insert(point.id);
    if (known !== undefined) this.#dropAllVectors(offset);
    this.#setPayload(offset, point.payload);
    this.#setVectors(offset, point.vectors);
    this.ids.setVersion(offset, version);
  }

  #update(id: PointId, version: number, change: (offset: number) => void): void {
    const offset = this.ids.offsetOf(id);
    if (offset === undefined) return;
    change(offset);
    this.ids.setVersion(offset, version);
  }

  #delete(id: PointId): void {
    const offset = this.ids.offsetOf(id);
    if (offset === undefined) return;
    this.#setPayload(offset, undefined);
    this.#dropAllVectors(offset);
    this.ids.remove(id);
  }

  #setPayload(offset: number, payload: JsonObject | undefined): void {
    if (this.#indexes.size > 0 && this.payloads.has(offset)) {
      const before = this.payloadAt(offset);
      for (const { path, index } of this.#indexes.values()) index.remove(offset, flatValuesAt(path, before));
    }
    if (!payload) {
      this.payloads.delete(offset);
      return;
    }
    for (const { path, index } of this.#indexes.values()) index.add(offset, flatValuesAt(path, payload));
    this.payloads.set(offset, payload);
  }

  #setVectors(offset: number, vectors: ReadonlyMap<string, Vector>): void {
    for (const [name, vector] of vectors) {
      if (vector.kind === 'dense') this.#dense.get(name)?.set(offset, vector.values);
      else this.#sparse.get(name)?.set(offset, vector.sparse);
    }
  }

  #dropVector(offset: number, name: string): void {
    this.#dense.get(name)?.delete(offset);
    this.#sparse.get(name)?.delete(offset);
  }

  #dropAllVectors(offset: number): void {
    for (const block of this.#dense.values()) block.delete(offset);
    for (const index of this.#sparse.values()) index.delete(offset);
  }
}
