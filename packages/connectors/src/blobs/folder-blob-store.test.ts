import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { BlobStore } from '#blobs/blob-store';
import { createFolderBlobStore } from '#blobs/folder-blob-store';

let folder: string;
let store: BlobStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-blobs-'));
  store = await createFolderBlobStore(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const { signal } = new AbortController();
const options = { maxBytes: 1_000_000, signal };

async function* bytes(...parts: (Uint8Array | Error)[]) {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield part;
  }
}
const read = async (key: string) => {
  const parts: Uint8Array[] = [];
  for await (const part of await store.open(key, signal)) parts.push(part);
  return Buffer.concat(parts);
};
const files = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

describe('createFolderBlobStore', () => {
  it('returns the stored bytes, with size and digest', async () => {
    const parts = [Buffer.alloc(300_000, 'a'), Buffer.alloc(0), Buffer.alloc(300_001, 'b')];
    const stored = await store.put('key-00000001', bytes(...parts), options);
    expect(stored).toEqual({
      sizeBytes: 600_001,
      sha256: createHash('sha256').update(Buffer.concat(parts)).digest('hex'),
    });
    expect((await read('key-00000001')).equals(Buffer.concat(parts))).toBe(true);
    expect(await files()).toEqual(['key-00000001']);
  });

  it('stores empty blobs', async () => {
    expect(await store.put('key-00000001', bytes(), options)).toMatchObject({ sizeBytes: 0 });
    expect(await read('key-00000001')).toHaveLength(0);
  });

  it('replaces a blob with the same key', async () => {
    await store.put('key-00000001', bytes(Buffer.from('one')), options);
    await store.put('key-00000001', bytes(Buffer.from('two')), options);
    expect((await read('key-00000001')).toString()).toBe('two');
  });

  it('stores nothing of a body that is interrupted, too large or cancelled', async () => {
    const broken = new Error('The connection broke.');
    await expect(store.put('key-00000001', bytes(Buffer.from('one'), broken), options)).rejects.toBe(broken);
    await expect(store.put('key-00000001', bytes(Buffer.alloc(11)), { maxBytes: 10, signal })).rejects.toMatchObject({
      name: 'BlobTooLargeError',
    });
    const aborted = AbortSignal.abort();
    await expect(
      store.put('key-00000001', bytes(Buffer.alloc(1)), { maxBytes: 10, signal: aborted }),
    ).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await files()).toEqual([]);
    await expect(store.open('key-00000001', signal)).rejects.toMatchObject({ name: 'BlobNotFoundError' });
  });

  it('removes blobs, including missing ones', async () => {
    await store.put('key-00000001', bytes(Buffer.from('one')), options);
    await store.remove('key-00000001');
    await store.remove('key-00000001');
    expect(await files()).toEqual([]);
  });

  it.each(['', 'short', '../../../etc/passwd', 'key/0000001', 'key.0000001'])('rejects the key %j', async (key) => {
    await expect(store.put(key, bytes(), options)).rejects.toThrow('A blob key must have');
    await expect(store.remove(key)).rejects.toThrow('A blob key must have');
  });
});
