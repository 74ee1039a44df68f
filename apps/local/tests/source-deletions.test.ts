import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type S3Server, startS3Server } from '@lectern/testing';
import type { Json } from './support/api.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const NAMES = ['badger', 'heron', 'lynx', 'otter', 'stoat'];

let bucket: S3Server;
let lectern: Lectern;
let connector: string;

const sync = async (body: Json = {}) => {
  const { jobId } = await lectern.api.ok('POST', `/api/v1/connectors/${connector}/sync`, body);
  return lectern.api.endOfJob(connector, jobId);
};
const found = async (query: string): Promise<string[]> => {
  const { data } = await lectern.api.call('POST', '/api/v1/search', { query, mode: 'keyword' });
  return data.results.map(({ title }: Json) => title);
};

beforeAll(async () => {
  bucket = await startS3Server({ pageSize: 1 });
  for (const name of NAMES) bucket.put(`${name}.txt`, `The ${name} is seen at dawn.`);
  lectern = await startLectern({ EGRESS_ALLOW: new URL(bucket.origin).host });
  const collection = (await lectern.api.ok('POST', '/api/v1/collections', { name: 'Animals' })).id;
  const created = await lectern.api.ok('POST', '/api/v1/connectors', {
    name: 'Bucket',
    type: 's3',
    collection,
    config: { bucket: bucket.bucket, region: bucket.region, endpoint: bucket.origin },
    credentials: { accessKeyId: bucket.accessKeyId, secretAccessKey: bucket.secretAccessKey },
  });
  connector = created.id;
});
afterAll(async () => {
  await lectern?.stop();
  await bucket.stop();
});

describe('an object that its source deletes', () => {
  it('is not found after the sync, unlike the others', async () => {
    expect(await sync()).toMatchObject({ status: 'completed', progress: { indexed: 5 } });
    expect(await found('dawn')).toHaveLength(5);
    bucket.remove('otter.txt');
    expect(await sync({ sync_mode: 'full' })).toMatchObject({ status: 'completed', progress: { deleted: 1 } });
    expect(await found('otter')).toEqual([]);
    expect(await found('dawn')).toHaveLength(4);
  });

  it('is not deleted if the listing fails halfway', async () => {
    bucket.remove('lynx.txt');
    bucket.fail(({ query }) => (query.has('continuation-token') ? { kind: 'status', status: 403 } : undefined));
    expect(await sync({ sync_mode: 'full' })).toMatchObject({ status: 'failed', progress: { deleted: 0 } });
    bucket.fail();
    expect(await found('lynx')).toHaveLength(1);
  });
});
