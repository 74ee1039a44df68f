import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evaluateFilter } from '../filter/evaluate.ts';
import { parseJsonPath } from '../json/path.ts';
import type { JsonObject, JsonValue } from '../json/types.ts';
import type { Vector } from '../model/vectors.ts';
import type { Columns } from '../storage/column-record.ts';
import { frameOf } from '../storage/frame-file.ts';
import type { LogRecord } from '../storage/record.ts';
import { encodeRecord } from '../storage/record-codec.ts';
import { Collection } from './collection.ts';
import type { CollectionConfig, NamedIndex } from './config.ts';
import type { PointStore } from './point-store.ts';

const config: CollectionConfig = {
  unnamed: false,
  dense: { d: { size: 3, distance: 'Dot', params: {} }, e: { size: 1, distance: 'Cosine', params: {} } },
  sparse: { s: { idf: true, params: {} }, t: { idf: false, params: {} } },
  tuning: {},
  metadata: undefined,
};

const indexes: readonly NamedIndex[] = [
  { path: 'word', type: 'keyword', params: { type: 'keyword', is_tenant: true } },
  { path: 'number', type: 'integer', params: undefined },
  { path: 'list', type: 'integer', params: { type: 'integer', range: false } },
  { path: 'share', type: 'float', params: undefined },
  { path: 'at', type: 'datetime', params: undefined },
  { path: 'flag', type: 'bool', params: undefined },
  { path: 'text', type: 'text', params: undefined },
];

const sparse = fc
  .uniqueArray(fc.tuple(fc.nat({ max: 30 }), fc.integer({ min: -5, max: 20 })), {
    selector: ([index]) => index,
    maxLength: 8,
  })
  .map((entries): Vector => {
    const sorted = entries.toSorted(([a], [b]) => a - b);
    const indices = Uint32Array.from(sorted, ([index]) => index);
    return { kind: 'sparse', sparse: { indices, values: Float32Array.from(sorted, ([, value]) => value / 4) } };
  });
const dense = (size: number) =>
  fc
    .array(fc.integer({ min: -9, max: 9 }), { minLength: size, maxLength: size })
    .map((values): Vector => ({ kind: 'dense', values: Float32Array.from(values) }));
const vectors = fc
  .record({ d: dense(3), e: dense(1), s: sparse, t: sparse }, { requiredKeys: [] })
  .map((named) => new Map(Object.entries(named)));
const payload = fc.record(
  {
    word: fc.constantFrom('a', 'b', 'ü', '__proto__'),
    number: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.array(fc.nat({ max: 4 }), { maxLength: 3 })),
    list: fc.array(fc.nat({ max: 5 }), { maxLength: 4 }),
    share: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    at: fc.constantFrom('2024-01-01', '2025-05-05T05:05:05Z'),
    flag: fc.boolean(),
    text: fc.constantFrom('one two', 'two three'),
    other: fc.jsonValue().map((value): JsonValue => JSON.parse(JSON.stringify(value))),
  },
  { requiredKeys: [] },
);
const id = fc.oneof(
  fc.nat({ max: 40 }),
  fc.nat({ max: 40 }).map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
);
const change = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.record({ id, payload, vectors }), { minLength: 1, maxLength: 30 })
      .map((points) => ({ kind: 'put', points }) as const),
  },
  fc.array(id, { maxLength: 9 }).map((ids) => ({ kind: 'delete', ids }) as const),
  fc.record({ id, payload }).map((point) => ({ kind: 'payload', points: [point] }) as const),
  fc.record({ id, vectors }).map((point) => ({ kind: 'vectors', points: [point] }) as const),
  fc.array(id, { maxLength: 9 }).map((ids) => ({ kind: 'dropVectors', ids, names: ['s', 'd'] }) as const),
);

function contents(store: PointStore) {
  const idsOf = (key: string, match: string | number | boolean): unknown => {
    const path = parseJsonPath(key);
    if (!path) return undefined;
    const filter = { must: [{ kind: 'field', path, match: { kind: 'value', value: match } } as const] };
    return [...evaluateFilter(store, filter).toArray()].map((offset) => store.idAt(offset)).toSorted();
  };
  return {
    points: store.sortedIds().map((known) => {
      const offset = store.offsetOf(known) ?? -1;
      const { vectors, ...rest } = store.pointAt(offset);
      return { ...rest, vectors: structuredClone([...vectors]), version: store.ids.versionAt(offset) };
    }),
    sizes: [
      store.vectorCount(),
      ...['s', 't'].map((name) => {
        const field = store.vectorField(name);
        return field?.kind === 'sparse' ? field.index.size : undefined;
      }),
    ],
    found: [
      ...['a', 'b', 'ü', '__proto__'].map((word) => idsOf('word', word)),
      ...[-1, 0, 1, 2].map((number) => idsOf('number', number)),
      ...[0, 3, 5].map((number) => idsOf('list', number)),
      idsOf('flag', true),
    ],
    ordered: ['number', 'share', 'at'].map((path) =>
      store.sortedIds().map((known) => [...(store.fieldIndex(path)?.orderValues?.(store.offsetOf(known) ?? -1) ?? [])]),
    ),
    counts: indexes.map(({ path }) => store.fieldIndex(path)?.indexed.count()),
  };
}

describe('a snapshot', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'qdrant-local-snapshot-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (compactAfterBytes: number): Promise<Collection> =>
    Collection.open({ folder, config, indexes, warn: () => undefined, compactAfterBytes });
  const writeSnapshot = (records: readonly LogRecord[]): void =>
    writeFileSync(
      join(folder, 'snapshot-4.bin'),
      Buffer.concat(records.flatMap((record) => frameOf(encodeRecord(record)))),
    );
  const clear = (): void => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  };

  it('restores points, vectors and indexes, with changes made while it is written and after it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 12 }),
        fc.array(change, { maxLength: 4 }),
        async (first, later) => {
          clear();
          const plain = await open(1e9);
          for (const one of first) await plain.commit(one);
          await plain.close();
          // Compaction starts at once, so some of these changes are made in the meantime.
          const compacted = await open(1);
          await Promise.all(later.map((one) => compacted.commit(one)));
          const expected = contents(compacted.store);
          await compacted.close();
          for (let round = 0; round < 2; round++) {
            const reopened = await open(1e9);
            expect(contents(reopened.store)).toEqual(expected);
            await reopened.close();
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('reads sparse segments of earlier versions, whose values have two bytes', async () => {
    const columns = (part: string, head: JsonObject, arrays: Columns) =>
      ({ kind: 'columns', version: 7, part, head, columns: arrays }) as const;
    const ids = Uint32Array.of(0, 1);
    const old = [
      columns('ids', { ids: [4, 9], keys: [] }, { offsets: ids, versions: Float64Array.of(3, 7) }),
      columns(
        'sparse',
        { name: 's' },
        {
          dimensions: Uint32Array.of(2, 30),
          starts: Uint32Array.of(0, 2, 3),
          slots: Uint16Array.of(0, 1, 1),
          values: Uint16Array.of(1, 0, 1),
          table: Float32Array.of(0.5, 2.25),
          offsets: Int32Array.of(0, 1),
        },
      ),
      columns(
        'sparse tail',
        { name: 's' },
        {
          present: ids,
          offsets: new Uint32Array(),
          lengths: new Uint32Array(),
          indices: new Uint32Array(),
          values: new Float32Array(),
        },
      ),
      { kind: 'end', version: 7 },
    ] as const;
    writeSnapshot(old);
    const collection = await open(1e9);
    const stored = contents(collection.store).points.map(({ vectors }) => vectors);
    expect(stored).toEqual([
      [['s', { kind: 'sparse', sparse: { indices: Uint32Array.of(2), values: Float32Array.of(2.25) } }]],
      [['s', { kind: 'sparse', sparse: { indices: Uint32Array.of(2, 30), values: Float32Array.of(0.5, 2.25) } }]],
    ]);
    await collection.close();
  });

  it('reads snapshots of earlier versions and replaces them', async () => {
    const points = [
      {
        id: 1,
        payload: { word: 'a', number: [1, 2] },
        vectors: new Map([['d', { kind: 'dense', values: Float32Array.of(1, 2, 3) } as const]]),
      },
      { id: 5, payload: {}, vectors: new Map() },
    ];
    const old = [
      { kind: 'snapshot', version: 7, points, versions: [3, 7] },
      { kind: 'end', version: 7 },
    ] as const;
    writeSnapshot(old);
    const first = await open(1e9);
    const expected = contents(first.store);
    expect(expected.points.map((point) => [point.id, point.payload, point.version])).toEqual([
      [1, points[0]?.payload, 3],
      [5, {}, 7],
    ]);
    await first.close();
    expect(readdirSync(folder).sort()).toEqual(['log-5.bin', 'snapshot-5.bin']);
    const second = await open(1e9);
    expect(contents(second.store)).toEqual(expected);
    await second.close();
  });

  it('builds indexes again whose schema was changed', async () => {
    const first = await open(1);
    await first.commit({ kind: 'put', points: [{ id: 1, payload: { number: 1.5, word: 'a' }, vectors: new Map() }] });
    await first.close();
    const changed = await Collection.open({
      folder,
      config,
      indexes: [{ path: 'number', type: 'float', params: undefined }],
      warn: () => undefined,
    });
    expect(changed.store.fieldIndex('number')?.orderValues?.(0)).toEqual([1.5]);
    expect(changed.store.fieldIndex('word')).toBeUndefined();
    await changed.close();
  });
});
