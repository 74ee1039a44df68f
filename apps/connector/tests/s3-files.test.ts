import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { JobStatus } from '@lectern/contracts';
import { createCaller, type S3Server, startS3Server, waitUntil } from '@lectern/testing';
import { type ConnectorClient, newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

let bucket: S3Server;
let system: TestSystem;
let client: ConnectorClient;
let connectorId: string;

beforeAll(async () => {
  bucket = await startS3Server();
  system = await startSystem({ env: { EGRESS_ALLOW: new URL(bucket.origin).host } });
});
afterAll(async () => {
  await system.stop();
  await bucket.stop();
});
beforeEach(async () => {
  bucket.fail();
  for (const key of [...bucket.objects.keys()]) bucket.remove(key);
  client = system.clientOf(createCaller());
  const { accessKeyId, secretAccessKey, region } = bucket;
  const { id } = await client.connectors.createConnector(
    {
      name: 'Bucket',
      type: 's3',
      collectionId: newCollection(system.collection.collections),
      config: { bucket: bucket.bucket, region, endpoint: bucket.origin, prefix: 'docs/' },
      credentials: { accessKeyId, secretAccessKey },
    },
    client.as(),
  );
  connectorId = id;
});

const live = () => system.collection.live(connectorId);
const listed = async () => (await client.files.listFiles({ connectorId }, client.as())).files;
const looseBlobs = () => system.rows('SELECT key FROM connector.loose_blobs');

describe('files of a bucket', () => {
  it('are uploaded to the bucket and indexed, and not stored locally', async () => {
    const { files, jobId } = await client.upload(connectorId, [
      { path: 'a.txt', content: 'Alpha.' },
      { path: 'sub/ü b.md', content: '# Beta' },
    ]);
    expect(files.map(({ path }) => path)).toEqual(['docs/a.txt', 'docs/sub/ü b.md']);
    expect(files[0]).toMatchObject({ name: 'a.txt', sizeBytes: 6, mimeType: 'text/plain', status: 'pending' });
    expect(await client.ended(connectorId, jobId)).toMatchObject({
      status: JobStatus.COMPLETED,
      progress: { total: 2, indexed: 2 },
    });
    expect([...bucket.objects.keys()].sort()).toEqual(['docs/a.txt', 'docs/sub/ü b.md']);
    expect(
      live()
        .map(({ id, externalId }) => [id, externalId])
        .sort(),
    ).toEqual(files.map(({ documentId, path }) => [documentId, path]).sort());
    expect(
      await system.rows('SELECT 1 FROM connector.files WHERE connector_id = $1 AND blob_key IS NOT NULL', connectorId),
    ).toEqual([]);
    await waitUntil(async () => (await looseBlobs()).length === 0, { what: 'no local bytes', timeoutMs: 10_000 });

    // The listing finds the uploaded files, and nothing is indexed twice.
    const { id } = await client.sync(connectorId);
    expect(await client.ended(connectorId, id)).toMatchObject({ progress: { total: 2, skipped: 2, indexed: 0 } });
  });

  it('are deleted from the bucket and from the index', async () => {
    bucket.put('docs/a.txt', 'Alpha.');
    bucket.put('docs/b.txt', 'Beta.');
    expect(await client.ended(connectorId, (await client.sync(connectorId)).id)).toMatchObject({
      status: JobStatus.COMPLETED,
      progress: { total: 2, indexed: 2 },
      errors: [],
    });
    const [a] = await listed();
    expect(a).toMatchObject({ path: 'docs/a.txt', status: 'indexed', sizeBytes: 6 });
    const request = { connectorId, files: [a?.id ?? '', 'docs/none.txt'] };
    expect(await client.files.deleteFiles(request, client.as())).toEqual({
      deleted: [a?.id],
      notFound: ['docs/none.txt'],
    });
    expect([...bucket.objects.keys()]).toEqual(['docs/b.txt']);
    expect(live().map(({ externalId }) => externalId)).toEqual(['docs/b.txt']);
    expect((await listed()).map(({ path }) => path)).toEqual(['docs/b.txt']);
  });

  it('do not change if the bucket denies the request', async () => {
    bucket.put('docs/a.txt', 'Alpha.');
    await client.ended(connectorId, (await client.sync(connectorId)).id);
    bucket.fail(({ method }) =>
      method === 'PUT' || method === 'DELETE' ? { kind: 'status', status: 403 } : undefined,
    );
    await expect(client.upload(connectorId, [{ path: 'b.txt', content: 'b' }])).rejects.toMatchObject({
      code: 'upstream_error',
    });
    const request = { connectorId, files: ['docs/a.txt'] };
    await expect(client.files.deleteFiles(request, client.as())).rejects.toMatchObject({ code: 'upstream_error' });
    expect((await listed()).map(({ path }) => path)).toEqual(['docs/a.txt']);
    expect(live()).toHaveLength(1);
  });
});
