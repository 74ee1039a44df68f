import { describe, expect, it } from '@jest/globals';
import { SourceError } from '@lectern/connectors';
import { ConnectorStatus, JobStatus } from '@lectern/contracts';
import { waitUntil } from '@lectern/testing';
import { newCollection } from './support/connector-client.ts';
import { useScriptedConnector } from './support/use-scripted-connector.ts';

const on = useScriptedConnector();

const rateError = (inMs: number) =>
  new SourceError('rate', 'The source allows no more requests.', { retryAt: new Date(Date.now() + inMs) });

const reasonOf = async (jobId: string) => (await on.client.job(on.connector.id, jobId)).queuedReason;
const untilThrottled = (jobId: string) =>
  waitUntil(async () => (await reasonOf(jobId)) !== undefined, { what: 'the job to be throttled', timeoutMs: 10_000 });
const endPause = () =>
  on.system.rows(`UPDATE connector.sync_states SET throttled_until = now() WHERE connector_id = $1`, on.connector.id);

describe('a source that asks to wait', () => {
  it('pauses the job, which shows the reason and continues from its checkpoint', async () => {
    on.fill(25);
    let faults = 1;
    on.source.beforePage = async (page) => {
      if (page === 1 && faults-- > 0) throw rateError(3_600_000);
    };
    const { id } = await on.client.sync(on.connector.id);
    await untilThrottled(id);
    expect(await reasonOf(id)).toMatch(
      /^Waiting for Scripted: The source allows no more requests\. The sync continues at \d{4}-/,
    );
    await endPause();
    expect(await on.client.ended(on.connector.id, id)).toMatchObject({
      status: JobStatus.COMPLETED,
      queuedReason: undefined,
      progress: { total: 25, indexed: 25 },
    });
    expect(on.source.listingStarts).toEqual([undefined, 'item-0009']);
  });

  it('pauses all items, and no item runs out of attempts', async () => {
    on.fill(20);
    let rejections = 0;
    on.source.beforeFetch = async () => {
      if (rejections >= 30) return;
      rejections += 1;
      throw rateError(20);
    };
    const { id } = await on.client.sync(on.connector.id);
    const job = await on.client.ended(on.connector.id, id);
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 20, indexed: 20, failed: 0 } });
    expect(rejections).toBe(30);
  });

  it('does not delay another connector', async () => {
    on.fill(5);
    on.source.beforeFetch = async () => {
      throw rateError(3_600_000);
    };
    const { id } = await on.client.sync(on.connector.id);
    await untilThrottled(id);
    const { client } = on;
    const other = await client.createConnector(newCollection(on.system.collection.collections));
    const { jobId } = await client.upload(other.id, [{ path: 'a.txt', content: 'a' }]);
    expect((await client.ended(other.id, jobId)).status).toBe(JobStatus.COMPLETED);
    await client.syncs.cancelJob({ connectorId: on.connector.id, jobId: id }, client.as());
  });
});

describe('a source that rejects the credentials', () => {
  it('fails the whole job with one message', async () => {
    on.fill(40);
    let fetches = 0;
    on.source.beforeFetch = async () => {
      fetches += 1;
      if (fetches > 5) throw new SourceError('auth', 'The token was revoked. Update the credentials of the connector.');
    };
    const job = await on.sync();
    expect(job).toMatchObject({
      status: JobStatus.FAILED,
      progress: { failed: 0 },
      errors: [{ path: '', code: 'auth', message: expect.stringContaining('revoked') }],
    });
    expect(fetches).toBeLessThan(20);
    expect(await on.read()).toMatchObject({
      status: ConnectorStatus.ERROR,
      statusReason: 'The token was revoked. Update the credentials of the connector.',
    });
  });
});

describe('a slow connector', () => {
  it('does not delay the others', async () => {
    on.fill(60);
    const release = Promise.withResolvers<void>();
    const fetching = Promise.withResolvers<void>();
    on.source.beforeFetch = async () => {
      fetching.resolve();
      await release.promise;
    };
    const { id } = await on.client.sync(on.connector.id);
    await fetching.promise;
    const { client } = on;
    const other = await client.createConnector(newCollection(on.system.collection.collections));
    const files = Array.from({ length: 30 }, (_, n) => ({ path: `${n}.txt`, content: `text ${n}` }));
    const { jobId } = await client.upload(other.id, files);
    expect(await client.ended(other.id, jobId)).toMatchObject({ progress: { indexed: 30 } });
    release.resolve();
    expect(await client.ended(on.connector.id, id)).toMatchObject({ progress: { indexed: 60 } });
  });
});
