import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEgressGuard } from '@lectern/egress';
import { type S3Server, startS3Server } from '@lectern/testing';
import { BlobNotFoundError, type BlobStore, BlobTooLargeError } from '#blobs/blob-store';
import { createS3BlobStore } from '#blobs/s3-blob-store';
import { collect } from './support/read-source.ts';

const egress = createEgressGuard({ allow: [] });
const { signal } = new AbortController();
let server: S3Server;
let store: BlobStore;

beforeAll(async () => {
  server = await startS3Server();
  const { bucket, region, origin, accessKeyId, secretAccessKey } = server;
  const address = { bucket, region, endpoint: origin };
  store = await createS3BlobStore({ address, credentials: { accessKeyId, secretAccessKey }, prefix: 'blobs/', egress });
});
afterAll(async () => {
  await server.stop();
  await egress.close();
});

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}
const read = async (key: string) => Buffer.concat(await collect(await store.open(key, signal))).toString();

describe('createS3BlobStore', () => {
  it('stores, replaces and removes blobs', async () => {
    const stored = await store.put('blob_0001', pieces('one', ' two'), { maxBytes: 100, signal });
    expect(stored).toEqual({
      sizeBytes: 7,
      sha256: '8ab63e29a4ba14e4e1688f9c15e5af90895421358c945b0431f85d66977bd3d2',
    });
    expect([...server.objects.keys()]).toEqual(['blobs/blob_0001']);
    expect(await read('blob_0001')).toBe('one two');
    await store.put('blob_0001', pieces('new'), { maxBytes: 100, signal });
    expect(await read('blob_0001')).toBe('new');
    await store.remove('blob_0001');
    await store.remove('blob_0001');
    await expect(store.open('blob_0001', signal)).rejects.toBeInstanceOf(BlobNotFoundError);
  });

  it('stores nothing of a body that is too large or interrupted', async () => {
    await expect(store.put('blob_0002', pieces('x'.repeat(11)), { maxBytes: 10, signal })).rejects.toBeInstanceOf(
      BlobTooLargeError,
    );
    const broken = async function* () {
      yield Buffer.from('half');
      throw new Error('left');
    };
    await expect(store.put('blob_0002', broken(), { maxBytes: 10, signal })).rejects.toThrow('left');
    expect(server.objects.size).toBe(0);
  });

  it('retries if the server is temporarily busy', async () => {
    server.fail((_request, number) => (number === 1 ? { kind: 'status', status: 500 } : undefined));
    await store.put('blob_0003', pieces('kept'), { maxBytes: 10, signal });
    server.fail();
    expect(await read('blob_0003')).toBe('kept');
  });

  it('rejects keys that could be another path', async () => {
    await expect(store.open('../secret', signal)).rejects.toThrow('blob key');
  });
});
