import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PointId } from '../model/point-id.ts';
import { Collection } from './collection.ts';
import type { CollectionConfig } from './config.ts';

const config: CollectionConfig = {
  unnamed: false,
  dense: { d: { size: 4, distance: 'Dot', params: {} } },
  sparse: { s: { idf: false, params: {} } },
  tuning: {},
  metadata: undefined,
};

describe('a collection on disk', () => {
  let folder: string;
  let warnings: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'qdrant-local-collection-'));
    warnings = [];
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (compactAfterBytes?: number): Promise<Collection> =>
    Collection.open({
      folder,
      config,
      indexes: [{ path: 'n', type: 'integer', params: undefined }],
      warn: (message) => warnings.push(message),
      ...(compactAfterBytes !== undefined && { compactAfterBytes }),
    });

  const put = (collection: Collection, ids: readonly PointId[], n: number): Promise<number> =>
    collection.commit({
      kind: 'put',
      points: ids.map((id) => ({
        id,
        payload: { n },
        vectors: new Map([
          ['d', { kind: 'dense', values: Float32Array.of(n, 0, 0, 1) } as const],
          ['s', { kind: 'sparse', sparse: { indices: Uint32Array.of(n), values: Float32Array.of(1) } } as const],
        ]),
      })),
    });

  const contents = ({ store }: Collection) =>
    store.sortedIds().map((id) => {
      const offset = store.offsetOf(id) ?? -1;
      return {
        ...store.pointAt(offset),
        vectors: [...store.vectorsAt(offset)].map((v) => structuredClone(v)),
        version: store.ids.versionAt(offset),
      };
    });

  const onlyLog = (): string => join(folder, readdirSync(folder).find((name) => name.startsWith('log-')) ?? '');

  it('compacts its log into a snapshot during writes, keeps all changes and stays small', async () => {
    const collection = await open(20_000);
    for (let round = 0; round < 60; round++) {
      await put(
        collection,
        Array.from({ length: 50 }, (_, i) => i),
        round,
      );
      await collection.commit({ kind: 'delete', ids: [round] });
      await collection.commit({ kind: 'payload', points: [{ id: 49, payload: { n: -round } }] });
      await collection.commit({ kind: 'dropVectors', ids: [48], names: ['d'] });
    }
    const before = contents(collection);
    await collection.close();
    const names = readdirSync(folder).sort();
    expect(names).toHaveLength(2);
    expect(names[1]).toMatch(/^snapshot-\d+\.bin$/);
    const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes).toBeLessThan(100_000);
    const again = await open();
    expect(contents(again)).toEqual(before);
    expect(again.store.fieldIndex('n')?.indexed.count()).toBe(before.length);
    await again.close();
  });

  it('removes a write that a crash interrupted at any byte', async () => {
    const collection = await open();
    await put(collection, [1], 1);
    const whole = statSync(onlyLog()).size;
    await put(collection, [2], 2);
    await collection.close();
    const bytes = readFileSync(onlyLog());
    for (let length = whole; length < bytes.length; length += 7) {
      writeFileSync(onlyLog(), bytes.subarray(0, length));
      const reopened = await open();
      expect(reopened.store.sortedIds()).toEqual([1]);
      expect(statSync(onlyLog()).size).toBe(whole);
      await put(reopened, [3], 3);
      await reopened.close();
    }
    expect(warnings.at(-1)).toContain('removed');
  });

  it('removes a last entry with a wrong checksum', async () => {
    const collection = await open();
    await put(collection, [1], 1);
    const whole = statSync(onlyLog()).size;
    await put(collection, [2], 2);
    await collection.close();
    const bytes = readFileSync(onlyLog());
    bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1;
    writeFileSync(onlyLog(), bytes);
    const reopened = await open();
    expect(reopened.store.sortedIds()).toEqual([1]);
    expect(statSync(onlyLog()).size).toBe(whole);
    await reopened.close();
  });

  it('reads both logs after a crash between starting a new log and finishing the snapshot', async () => {
    const collection = await open();
    await put(collection, [1, 2], 1);
    await collection.close();
    const first = readFileSync(onlyLog());
    rmSync(onlyLog());
    const second = await open();
    await second.commit({ kind: 'delete', ids: [1] });
    await put(second, [3], 3);
    await second.close();
    writeFileSync(join(folder, 'log-1.bin'), readFileSync(onlyLog()));
    writeFileSync(join(folder, 'log-0.bin'), first);
    writeFileSync(join(folder, 'snapshot-1.bin.tmp'), 'half');
    const reopened = await open();
    expect(reopened.store.sortedIds()).toEqual([2, 3]);
    await reopened.close();
    expect(readdirSync(folder).sort()).toEqual(['log-0.bin', 'log-1.bin']);
  });

  it('throws if its folder is missing', async () => {
    rmSync(folder, { recursive: true });
    await expect(open()).rejects.toMatchObject({ message: expect.stringContaining('is missing') });
  });

  it('throws if a finished snapshot is damaged', async () => {
    const collection = await open(1);
    await put(collection, [1, 2], 1);
    await collection.close();
    const snapshot = join(folder, readdirSync(folder).find((name) => name.startsWith('snapshot-')) ?? '');
    appendFileSync(snapshot, 'x');
    await expect(open()).rejects.toMatchObject({ message: expect.stringContaining('is damaged') });
  });
});
