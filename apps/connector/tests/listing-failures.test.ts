import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectorStatus, JobStatus, type SyncJob } from '@lectern/contracts';
import { createCaller, type PlatformRequest, type S3Server, startS3Server } from '@lectern/testing';
import { type ConnectorClient, newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

// An HTTP server fails pages of its listing, and the service retries for one second.
let bucket: S3Server;
let system: TestSystem;
let client: ConnectorClient;
let connectorId: string;

beforeAll(async () => {
  bucket = await startS3Server({ pageSize: 2 });
  const env = { EGRESS_ALLOW: new URL(bucket.origin).host, SYNC_PATIENCE_MS: '1000' };
  system = await startSystem({ env });
});
afterAll(async () => {
  await system?.stop();
  await bucket?.stop();
});

const isSecondPage = ({ query }: PlatformRequest) => query.has('continuation-token');
const live = () => system.collection.live(connectorId).map(({ externalId }) => externalId);
const read = () => client.connectors.getConnector({ id: connectorId }, client.as());

/** Runs a sync in which every request for the second page fails. */
async function syncFailing(status: number, retryAfter?: string): Promise<{ job: SyncJob; requests: number }> {
  bucket.forget();
  const fault = { kind: 'status', status, ...(retryAfter === undefined ? {} : { retryAfter }) } as const;
  bucket.fail((request) => (isSecondPage(request) ? fault : undefined));
  const { id } = await client.sync(connectorId);
  const job = await client.ended(connectorId, id);
  bucket.fail();
  return { job, requests: bucket.requests.filter(isSecondPage).length };
}

beforeEach(async () => {
  bucket.fail();
  for (const key of [...bucket.objects.keys()]) bucket.remove(key);
  for (const name of ['a', 'b', 'c', 'd', 'e']) bucket.put(`${name}.txt`, `The text of ${name}.`);
  client = system.clientOf(createCaller());
  const { accessKeyId, secretAccessKey, region } = bucket;
  const connector = await client.connectors.createConnector(
    {
      name: 'Bucket',
      type: 's3',
      collectionId: newCollection(system.collection.collections),
      config: { bucket: bucket.bucket, region, endpoint: bucket.origin },
      credentials: { accessKeyId, secretAccessKey },
    },
    client.as(),
  );
  connectorId = connector.id;
  const { id } = await client.sync(connectorId);
  expect(await client.ended(connectorId, id)).toMatchObject({ status: JobStatus.COMPLETED });
  bucket.remove('b.txt');
});

describe('a page of a listing', () => {
  it.each([
    [403, 'forbidden', /need s3:ListBucket/],
    [401, 'auth', /rejected the access key/],
  ])(
    'fails the job immediately with a helpful message and deletes nothing if the source rejects it with %i',
    async (status, code, words) => {
      const { job, requests } = await syncFailing(status);
      expect(job).toMatchObject({ status: JobStatus.FAILED, progress: { deleted: 0 }, errors: [{ path: '', code }] });
      expect(job.errors[0]?.message).toMatch(words);
      expect(requests).toBe(1);
      const connector = await read();
      expect(connector.status).toBe(ConnectorStatus.ERROR);
      expect(connector.statusReason).toMatch(words);
      expect(live()).toHaveLength(5);
    },
    180_000,
  );

  it.each([
    ['500', 500, undefined, 'transient'],
    ['429', 429, undefined, 'rate'],
    ['503 and Retry-After', 503, '1', 'rate'],
  ])(
    'fails the job after the retries and deletes nothing if the source always returns %s',
    async (_name, status, wait, code) => {
      const { job, requests } = await syncFailing(status, wait);
      expect(job).toMatchObject({ status: JobStatus.FAILED, progress: { deleted: 0 }, errors: [{ path: '', code }] });
      expect(job.errors[0]?.message).toMatch(/after 1 second of retries\. Sync again when the source is available\./);
      expect(requests).toBeGreaterThan(1);
      expect((await read()).status).toBe(ConnectorStatus.ERROR);
      expect(live()).toHaveLength(5);

      const { id } = await client.sync(connectorId);
      expect(await client.ended(connectorId, id)).toMatchObject({
        status: JobStatus.COMPLETED,
        progress: { deleted: 1 },
      });
      expect(live()).toHaveLength(4);
    },
    300_000,
  );
});
