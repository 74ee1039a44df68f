import { describe, expect, it } from '@jest/globals';
import { BlobNotFoundError, type BlobStore } from '#blobs/blob-store';
import type { SourceEvent } from '#source';
import type { UploadedFile } from '#upload/file-catalog';
import { openUpload, refOfUpload } from '#upload/upload-connector';

const call = { signal: new AbortController().signal };

function createHost(count: number) {
  const files = new Map<string, UploadedFile>();
  for (let n = 0; n < count; n += 1) {
    const path = `f/${String(n).padStart(4, '0')}.txt`;
    const blobKey = `blob-${String(n).padStart(4, '0')}`;
    files.set(path, { path, blobKey, sizeBytes: 1, mimeType: 'text/plain', updatedAt: new Date(0), metadata: { n } });
  }
  const blobs: BlobStore = {
    put: () => Promise.reject(new Error('not used')),
    open: async (key) => {
      if (![...files.values()].some((file) => file.blobKey === key)) throw new BlobNotFoundError();
      return (async function* () {
        yield Buffer.from(key);
      })();
    },
    remove: async () => undefined,
  };
  const find = async (path: string) => files.get(path);
  const page = async (after: string | undefined, limit: number) =>
    [...files.values()].filter((file) => after === undefined || file.path > after).slice(0, limit);
  return { files, host: { blobs, files: { find, page } } };
}

const collect = async (events: AsyncGenerator<SourceEvent>) => {
  const all: SourceEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
};
const idsOf = (events: readonly SourceEvent[]) =>
  events.flatMap((event) => (event.type === 'item' ? [event.ref.id] : []));

describe('openUpload', () => {
  it('lists all files, and resumes at every checkpoint', async () => {
    const { host, files } = createHost(450);
    const connector = openUpload(host);
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual([...files.keys()]);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true });
    for (const [at, event] of events.entries()) {
      if (event.type !== 'checkpoint') continue;
      const rest = await collect(connector.list(call, event.at));
      expect(idsOf(rest)).toEqual(idsOf(events.slice(at)));
    }
  });

  it('completes without files', async () => {
    expect(await collect(openUpload(createHost(0).host).list(call))).toEqual([
      { type: 'complete', authoritative: true },
    ]);
  });

  it('reads the current file, and reports a deleted one', async () => {
    const { host, files } = createHost(2);
    const connector = openUpload(host);
    const ref = await connector.resolve(call, 'f/0000.txt');
    expect(ref).toMatchObject({ id: 'f/0000.txt', version: 'blob-0000', title: '0000.txt' });
    expect(await connector.resolve(call, 'f/none.txt')).toBeNull();
    const content = await connector.fetch(call, ref!);
    expect(content).toMatchObject({ version: 'blob-0000', fileName: '0000.txt', metadata: { n: 0 } });
    const file = files.get('f/0000.txt')!;
    files.delete('f/0000.txt');
    await expect(connector.fetch(call, refOfUpload(file))).rejects.toMatchObject({ kind: 'gone' });
  });

  it('takes the URL from the metadata', () => {
    const file = { path: 'a', blobKey: 'b', sizeBytes: 1, mimeType: 'text/plain', updatedAt: new Date(0) };
    expect(refOfUpload({ ...file, metadata: { url: 'https://example.com/a' } }).url).toBe('https://example.com/a');
    expect(refOfUpload({ ...file, metadata: { url: 1 } }).url).toBeUndefined();
  });

  it('reports missing bytes', async () => {
    const { host } = createHost(1);
    const blobs: BlobStore = { ...host.blobs, open: () => Promise.reject(new BlobNotFoundError()) };
    const connector = openUpload({ ...host, blobs });
    const ref = await connector.resolve(call, 'f/0000.txt');
    await expect(connector.fetch(call, ref!)).rejects.toMatchObject({ kind: 'invalid', retryable: false });
  });
});
