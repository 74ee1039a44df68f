import { describe, expect, it } from '@jest/globals';
import { SourceError } from '@lectern/connectors';
import { ConnectorStatus, JobStatus, SyncMode } from '@lectern/contracts';
import { newId, prismaOptions } from '@lectern/service-kit';
import { waitUntil } from '@lectern/testing';
import { PrismaClient } from '#gen/prisma/client';
import { newCollection } from './support/connector-client.ts';
import { useScriptedConnector } from './support/use-scripted-connector.ts';

const on = useScriptedConnector();

const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
};

describe('an item', () => {
  it('leaves no document if it is deleted between listing and fetching', async () => {
    on.fill(3);
    on.source.beforeFetch = async (id) => {
      if (id === 'item-0001') on.source.items.delete(id);
    };
    expect((await on.sync()).progress).toMatchObject({ total: 3, indexed: 2, deleted: 1, failed: 0 });
    expect(on.liveIds()).toEqual(['item-0000', 'item-0002']);
  });

  it('is retried after a temporary failure and fails after a permanent one', async () => {
    on.fill(3);
    let faults = 1;
    on.source.beforeFetch = async (id) => {
      if (id === 'item-0000' && faults-- > 0) throw new SourceError('transient', 'Not now.');
      if (id === 'item-0001') throw new SourceError('forbidden', 'The token has no access to this item.');
    };
    const job = await on.sync();
    expect(job).toMatchObject({
      status: JobStatus.COMPLETED_WITH_ERRORS,
      progress: { total: 3, collected: 2, indexed: 2, failed: 1 },
      errors: [{ path: 'item-0001', code: 'forbidden', message: 'The token has no access to this item.' }],
    });
    expect(on.document('item-0001')).toMatchObject({ status: 'failed', error: { code: 'forbidden' } });
  });

  it('is skipped if its document is deleted while it is indexed', async () => {
    on.fill(1);
    on.system.collection.beforeIndex = async () => {
      on.document('item-0000').status = 'deleted';
    };
    expect(await on.sync()).toMatchObject({
      status: JobStatus.COMPLETED,
      progress: { total: 1, collected: 0, skipped: 1 },
    });
  });
});

describe('the file of an item', () => {
  it('shows the final status of the item even if it ends while the file is marked as processing', async () => {
    on.fill(1);
    await on.sync();
    const options = prismaOptions({ url: on.system.database.url, schema: 'connector' });
    const db = new PrismaClient(options);
    const release = gate();
    const locked = gate();
    let lock: Promise<void> | undefined;
    // The end of the item waits for this lock until the file is about to be marked.
    on.source.beforeFetch = async () => {
      lock ??= db.$transaction(
        async (tx) => {
          await tx.$queryRaw`SELECT 1 FROM files WHERE connector_id = ${on.connector.id} FOR UPDATE`;
          locked.open();
          await release.promise;
        },
        { timeout: 120_000 },
      );
      await locked.promise;
    };
    const { id } = await on.client.sync(on.connector.id, { mode: SyncMode.INCREMENTAL, fileFilter: ['item-0000'] });
    const isWaiting = async () => {
      const waiting = await on.system.rows(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND now() - query_start > interval '1 s'`,
      );
      return waiting.length > 0;
    };
    await waitUntil(isWaiting, { what: 'the end of the item to wait', timeoutMs: 10_000 });
    release.open();
    await lock;
    expect(await on.client.ended(on.connector.id, id)).toMatchObject({ status: JobStatus.COMPLETED });
    const { files } = await on.client.files.listFiles({ connectorId: on.connector.id }, on.client.as());
    expect(files.map(({ status }) => status)).toEqual(['indexed']);
    await db.$disconnect();
  });
});

describe('a job', () => {
  it('is started once even if the call is repeated, during the job and after it', async () => {
    on.fill(1);
    const release = gate();
    on.source.beforeFetch = () => release.promise;
    const id = newId('job');
    const start = () => on.client.sync(on.connector.id, { id });
    const both = await Promise.all([start(), start()]);
    expect([...both, await start()].map((job) => job.id)).toEqual([id, id, id]);
    release.open();
    await on.client.ended(on.connector.id, id);
    expect(await start()).toMatchObject({ id, status: JobStatus.COMPLETED });
    const { jobs } = await on.client.syncs.listJobs({ connectorId: on.connector.id, page: undefined }, on.client.as());
    expect(jobs).toHaveLength(1);
    await expect(on.client.sync(on.connector.id, { id: 'invalid' })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('is the only one of its connector', async () => {
    on.fill(1);
    const release = gate();
    on.source.beforeFetch = () => release.promise;
    const { id } = await on.client.sync(on.connector.id);
    await expect(on.client.sync(on.connector.id)).rejects.toMatchObject({ code: 'conflict', details: { jobId: id } });
    expect((await on.read()).status).toBe(ConnectorStatus.SYNCING);
    release.open();
    expect((await on.client.ended(on.connector.id, id)).status).toBe(JobStatus.COMPLETED);
  });

  it('stays cancelled, and the next job does the work', async () => {
    on.fill(20);
    const release = gate();
    const started = gate();
    on.system.collection.beforeIndex = async (_, signal) => {
      started.open();
      signal.addEventListener('abort', release.open);
      await release.promise;
    };
    const { client } = on;
    const { id } = await client.sync(on.connector.id);
    await started.promise;
    const cancelled = await client.syncs.cancelJob({ connectorId: on.connector.id, jobId: id }, client.as());
    expect(cancelled).toMatchObject({ status: JobStatus.CANCELLED, completedAt: expect.any(Date) });
    await expect(
      client.syncs.cancelJob({ connectorId: on.connector.id, jobId: id }, client.as()),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await on.read()).status).toBe(ConnectorStatus.ACTIVE);
    release.open();
    on.system.collection.beforeIndex = async () => undefined;
    expect((await on.sync()).progress).toMatchObject({ total: 20, failed: 0 });
    expect((await client.job(on.connector.id, id)).status).toBe(JobStatus.CANCELLED);
    expect(on.live()).toHaveLength(20);
  });

  it('can be watched to its end', async () => {
    on.fill(30);
    const { client } = on;
    const { id } = await client.sync(on.connector.id);
    const seen = [];
    for await (const job of client.syncs.watchJob({ connectorId: on.connector.id, jobId: id }, client.as()))
      seen.push(job);
    expect(seen.at(-1)).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 30, indexed: 30 } });
    expect(seen.filter((job) => job.completedAt !== undefined)).toHaveLength(1);
    const again = [];
    for await (const job of client.syncs.watchJob({ connectorId: on.connector.id, jobId: id }, client.as()))
      again.push(job);
    expect(again).toHaveLength(1);
  });

  it('is cancelled when its collection is deleted', async () => {
    on.fill(30);
    let indexed = 0;
    on.system.collection.beforeIndex = async () => {
      indexed += 1;
      if (indexed === 10) on.system.collection.collections.delete(on.connector.collectionId);
    };
    const job = await on.sync();
    expect(job).toMatchObject({ status: JobStatus.CANCELLED, errors: [{ code: 'collection_deleted' }] });
    expect(await on.read()).toMatchObject({
      status: ConnectorStatus.ERROR,
      statusReason: 'The collection of this connector was deleted.',
    });
    await expect(on.sync()).rejects.toMatchObject({ code: 'conflict' });
  });

  it('survives an outage of the collection service', async () => {
    on.fill(12);
    let indexed = 0;
    const fifthIndexed = gate();
    on.system.collection.beforeIndex = async () => {
      indexed += 1;
      if (indexed === 5) fifthIndexed.open();
    };
    const { id } = await on.client.sync(on.connector.id);
    await fifthIndexed.promise;
    await on.system.collection.stop();
    await waitUntil(
      async () => {
        const job = await on.client.job(on.connector.id, id);
        return (job.progress?.indexed ?? 0) < 12;
      },
      { what: 'the job to wait', timeoutMs: 5_000 },
    );
    await on.system.collection.start();
    const job = await on.client.ended(on.connector.id, id);
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 12, indexed: 12, failed: 0 } });
    expect(on.live()).toHaveLength(12);
  });

  it('includes files that are uploaded while it runs', async () => {
    const { client } = on;
    const { collection } = on.system;
    on.connector = await client.createConnector(newCollection(collection.collections));
    const release = gate();
    const started = gate();
    collection.beforeIndex = async () => {
      started.open();
      await release.promise;
    };
    const first = await client.upload(on.connector.id, [
      { path: 'a.txt', content: 'old a' },
      { path: 'b.txt', content: 'b' },
    ]);
    await started.promise;
    const second = await client.upload(on.connector.id, [
      { path: 'a.txt', content: 'new a' },
      { path: 'c.txt', content: 'c' },
    ]);
    expect(second.jobId).toBe(first.jobId);
    release.open();
    const job = await client.ended(on.connector.id, first.jobId);
    expect(job).toMatchObject({
      status: JobStatus.COMPLETED,
      progress: { total: 3, collected: 3, parsed: 3, indexed: 3 },
    });
    expect(on.document('a.txt').request!.content).toContain('new a');
    expect(on.liveIds()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  it('is listed newest first', async () => {
    on.fill(1);
    const first = await on.sync();
    const second = await on.sync();
    const { client } = on;
    const page = { page: 1, limit: 1 };
    const { jobs, page: info } = await client.syncs.listJobs({ connectorId: on.connector.id, page }, client.as());
    expect(jobs.map((job) => job.id)).toEqual([second.id]);
    expect(info).toEqual({ page: 1, limit: 1, total: 2, hasMore: true });
    expect(first.id).not.toBe(second.id);
    await expect(client.job(on.connector.id, 'job_unknown')).rejects.toMatchObject({ code: 'not_found' });
  });
});
