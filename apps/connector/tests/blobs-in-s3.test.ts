import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobStatus } from '@lectern/contracts';
import { type S3Server, startS3Server, waitUntil } from '@lectern/testing';
import { readConfig } from '#config';
import { startConnector } from '#server';
import { newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

let bucket: S3Server;
let system: TestSystem;

beforeAll(async () => {
  bucket = await startS3Server();
  system = await startSystem({
    env: {
      BLOB_S3_BUCKET: bucket.bucket,
      BLOB_S3_REGION: bucket.region,
      BLOB_S3_ENDPOINT: bucket.origin,
      BLOB_S3_PREFIX: 'blobs/',
      BLOB_S3_ACCESS_KEY_ID: bucket.accessKeyId,
      BLOB_S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    },
  });
});
afterAll(async () => {
  await system.stop();
  await bucket.stop();
});

describe('uploaded files in a bucket', () => {
  it('are stored under the prefix and removed with their file', async () => {
    const { client } = system;
    const { id } = await client.createConnector(newCollection(system.collection.collections));
    const { files, jobId } = await client.upload(id, [{ path: 'a.txt', content: 'Alpha.' }]);
    expect((await client.ended(id, jobId)).status).toBe(JobStatus.COMPLETED);
    const [key = '', ...others] = [...bucket.objects.keys()];
    expect(key).toMatch(/^blobs\//);
    expect(others).toEqual([]);
    expect(Buffer.from(bucket.objects.get(key)?.bytes ?? []).toString()).toBe('Alpha.');
    await client.files.deleteFiles({ connectorId: id, files: [files[0]?.id ?? ''] }, client.as());
    await waitUntil(async () => bucket.objects.size === 0, { what: 'the bytes to be removed', timeoutMs: 10_000 });
  });

  it('require the keys of the bucket', async () => {
    const { BLOB_S3_SECRET_ACCESS_KEY: _, ...env } = system.env;
    await expect(startConnector(readConfig(env))).rejects.toThrow(/BLOB_S3_SECRET_ACCESS_KEY/);
  });
});
