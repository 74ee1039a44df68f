import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectorTypes, SourceError } from '@lectern/connectors';
import { type Connector, ConnectorStatus, JobStatus, SyncMode } from '@lectern/contracts';
import { waitUntil } from '@lectern/testing';
import { newCollection } from './support/connector-client.ts';
import { createScriptedSource, type ScriptedSource } from './support/scripted-source.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

const source: ScriptedSource = createScriptedSource();
let system: TestSystem;
let connector: Connector;

beforeAll(async () => {
  system = await startSystem({ overrides: { types: [...connectorTypes, source.type] } });
});
afterAll(() => system.stop());
beforeEach(async () => {
  source.items.clear();
  Object.assign(source, { versions: true, authoritative: true, fetches: 0 });
  source.begins.length = 0;
  source.beforePage = async () => undefined;
  source.beforeFetch = async () => undefined;
  system.collection.beforeIndex = async () => undefined;
  connector = await system.client.createConnector(newCollection(system.collection.collections), 'scripted');
});

const fill = (count: number, content = 'text') => {
  for (let n = 0; n < count; n += 1) source.items.set(`item-${String(n).padStart(4, '0')}`, `${content} ${n}`);
};
const sync = async (order: Parameters<TestSystem['client']['sync']>[1] = {}) => {
  const { id } = await system.client.sync(connector.id, order);
  return system.client.ended(connector.id, id);
};
const live = () =>
  system.collection
    .live(connector.id)
    .map((document) => document.externalId)
    .sort();
const document = (id: string) => system.collection.live(connector.id).find(({ externalId }) => externalId === id)!;
const status = async () => {
  const { client } = system;
  return client.connectors.getConnector({ id: connector.id }, client.as());
};
const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
};

describe('a full scan', () => {
  it('indexes everything, and the next one only what changed', async () => {
    fill(35);
    const first = await sync();
    expect(first).toMatchObject({ status: JobStatus.COMPLETED, mode: SyncMode.AUTO, errors: [] });
    expect(first.progress).toEqual({
      total: 35,
      collected: 35,
      parsed: 35,
      indexed: 35,
      skipped: 0,
      deleted: 0,
      failed: 0,
    });
    expect(await status()).toMatchObject({ status: ConnectorStatus.ACTIVE, lastSync: expect.any(Date) });

    source.items.set('item-0003', 'changed');
    source.items.delete('item-0004');
    source.items.set('new', 'new');
    source.fetches = 0;
    const second = await sync();
    expect(second.progress).toEqual({
      total: 36,
      collected: 2,
      parsed: 2,
      indexed: 2,
      skipped: 33,
      deleted: 1,
      failed: 0,
    });
    expect(source.fetches).toBe(2);
    expect(live()).toEqual([...source.items.keys()].sort());
    expect(document('item-0003').indexings).toBe(2);
  });

  it('compares contents where the source has no versions', async () => {
    source.versions = false;
    fill(3);
    await sync();
    source.items.set('item-0001', 'changed');
    const { progress } = await sync();
    expect(progress).toEqual({ total: 3, collected: 1, parsed: 1, indexed: 1, skipped: 2, deleted: 0, failed: 0 });
  });

  it('of mode full does everything again and ignores the filter', async () => {
    fill(3);
    await sync();
    const { progress, mode } = await sync({ mode: SyncMode.FULL, fileFilter: ['item-0000'] });
    expect(mode).toBe(SyncMode.FULL);
    expect(progress).toMatchObject({ total: 3, indexed: 3, skipped: 0 });
  });

  it('deletes nothing where the listing is not authoritative', async () => {
    fill(3);
    await sync();
    source.items.delete('item-0000');
    source.authoritative = false;
    expect((await sync()).progress).toMatchObject({ total: 2, deleted: 0 });
    expect(live()).toHaveLength(3);
  });

  it('holds back when most documents would vanish, until it is confirmed', async () => {
    fill(30);
    await sync();
    for (const id of [...source.items.keys()].slice(0, 25)) source.items.delete(id);
    const held = await sync();
    expect(held.status).toBe(JobStatus.COMPLETED_WITH_ERRORS);
    expect(held.errors).toMatchObject([{ path: '', code: 'deletion_held' }]);
    expect(live()).toHaveLength(30);
    const confirmed = await sync({ confirmDeletions: true });
    expect(confirmed).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 30, deleted: 25, skipped: 5 } });
    expect(live()).toHaveLength(5);
  });

  it('of an empty source completes', async () => {
    expect(await sync()).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 0 } });
  });

  it('whose listing breaks off goes on from its checkpoint, and deletes nothing before it is complete', async () => {
    fill(25);
    await sync();
    source.items.delete('item-0024');
    source.begins.length = 0;
    let breaks = 1;
    source.beforePage = async (page) => {
      if (page === 1 && breaks-- > 0) throw new SourceError('transient', 'The network broke.');
    };
    const { progress } = await sync();
    expect(source.begins).toEqual([undefined, 'item-0009']);
    expect(progress).toMatchObject({ total: 25, skipped: 24, deleted: 1 });
  });

  it('whose listing is refused fails, and says why', async () => {
    fill(5);
    await sync();
    source.beforePage = async () => {
      throw new SourceError('auth', 'The token was revoked.');
    };
    const job = await sync();
    expect(job).toMatchObject({
      status: JobStatus.FAILED,
      errors: [{ path: '', code: 'auth', message: 'The token was revoked.' }],
    });
    expect(await status()).toMatchObject({ status: ConnectorStatus.ERROR, statusReason: 'The token was revoked.' });
    expect(live()).toHaveLength(5);
    source.beforePage = async () => undefined;
    expect((await sync()).status).toBe(JobStatus.COMPLETED);
  });
});

describe('an incremental sync', () => {
  it('does what its filter names, whether changed or not, and removes what is gone', async () => {
    fill(4);
    await sync();
    source.items.delete('item-0001');
    const job = await sync({ mode: SyncMode.INCREMENTAL, fileFilter: ['item-0000', 'item-0001', 'unknown'] });
    expect(job).toMatchObject({ mode: SyncMode.INCREMENTAL, status: JobStatus.COMPLETED });
    expect(job.progress).toEqual({ total: 3, collected: 1, parsed: 1, indexed: 1, skipped: 0, deleted: 2, failed: 0 });
    expect(live()).toEqual(['item-0000', 'item-0002', 'item-0003']);
  });

  it('in auto mode skips what is indexed', async () => {
    fill(2);
    await sync();
    const { progress } = await sync({ fileFilter: ['item-0000'] });
    expect(progress).toMatchObject({ total: 1, skipped: 1, indexed: 0 });
  });

  it('without a filter is refused', async () => {
    await expect(sync({ mode: SyncMode.INCREMENTAL })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'file_filter' }] },
    });
  });
});

describe('an item', () => {
  it('that is gone between listing and fetching leaves no document', async () => {
    fill(3);
    source.beforeFetch = async (id) => {
      if (id === 'item-0001') source.items.delete(id);
    };
    expect((await sync()).progress).toMatchObject({ total: 3, indexed: 2, deleted: 1, failed: 0 });
    expect(live()).toEqual(['item-0000', 'item-0002']);
  });

  it('is tried again after a passing fault, and failed after a lasting one', async () => {
    fill(3);
    let faults = 1;
    source.beforeFetch = async (id) => {
      if (id === 'item-0000' && faults-- > 0) throw new SourceError('transient', 'Not now.');
      if (id === 'item-0001') throw new SourceError('forbidden', 'The token does not reach this.');
    };
    const job = await sync();
    expect(job).toMatchObject({
      status: JobStatus.COMPLETED_WITH_ERRORS,
      progress: { total: 3, collected: 2, indexed: 2, failed: 1 },
      errors: [{ path: 'item-0001', code: 'forbidden', message: 'The token does not reach this.' }],
    });
    expect(document('item-0001')).toMatchObject({ status: 'failed', error: { code: 'forbidden' } });
  });

  it('whose document is deleted while it is indexed is skipped', async () => {
    fill(1);
    system.collection.beforeIndex = async () => {
      document('item-0000').status = 'deleted';
    };
    expect(await sync()).toMatchObject({
      status: JobStatus.COMPLETED,
      progress: { total: 1, collected: 0, skipped: 1 },
    });
  });
});

describe('a job', () => {
  it('is the only one of its connector', async () => {
    fill(1);
    const hold = gate();
    source.beforeFetch = () => hold.promise;
    const { id } = await system.client.sync(connector.id);
    await expect(system.client.sync(connector.id)).rejects.toMatchObject({ code: 'conflict', details: { jobId: id } });
    expect((await status()).status).toBe(ConnectorStatus.SYNCING);
    hold.open();
    expect((await system.client.ended(connector.id, id)).status).toBe(JobStatus.COMPLETED);
  });

  it('that is cancelled stays so, and the next one does the work', async () => {
    fill(20);
    const hold = gate();
    const begun = gate();
    system.collection.beforeIndex = async (_, signal) => {
      begun.open();
      signal.addEventListener('abort', hold.open);
      await hold.promise;
    };
    const { client } = system;
    const { id } = await client.sync(connector.id);
    await begun.promise;
    const cancelled = await client.syncs.cancelJob({ connectorId: connector.id, jobId: id }, client.as());
    expect(cancelled).toMatchObject({ status: JobStatus.CANCELLED, completedAt: expect.any(Date) });
    await expect(client.syncs.cancelJob({ connectorId: connector.id, jobId: id }, client.as())).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await status()).status).toBe(ConnectorStatus.ACTIVE);
    hold.open();
    system.collection.beforeIndex = async () => undefined;
    expect((await sync()).progress).toMatchObject({ total: 20, failed: 0 });
    expect((await client.job(connector.id, id)).status).toBe(JobStatus.CANCELLED);
    expect(live()).toHaveLength(20);
  });

  it('is watched from now to its end', async () => {
    fill(30);
    const { client } = system;
    const { id } = await client.sync(connector.id);
    const seen = [];
    for await (const job of client.syncs.watchJob({ connectorId: connector.id, jobId: id }, client.as()))
      seen.push(job);
    expect(seen.at(-1)).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 30, indexed: 30 } });
    expect(seen.filter((job) => job.completedAt !== undefined)).toHaveLength(1);
    const again = [];
    for await (const job of client.syncs.watchJob({ connectorId: connector.id, jobId: id }, client.as()))
      again.push(job);
    expect(again).toHaveLength(1);
  });

  it('ends cancelled when its collection is deleted under it', async () => {
    fill(30);
    let indexed = 0;
    system.collection.beforeIndex = async () => {
      indexed += 1;
      if (indexed === 10) system.collection.collections.delete(connector.collectionId);
    };
    const job = await sync();
    expect(job).toMatchObject({ status: JobStatus.CANCELLED, errors: [{ code: 'collection_deleted' }] });
    expect(await status()).toMatchObject({
      status: ConnectorStatus.ERROR,
      statusReason: 'Its collection was deleted.',
    });
    await expect(sync()).rejects.toMatchObject({ code: 'conflict' });
  });

  it('sits out an outage of the collection service', async () => {
    fill(12);
    let indexed = 0;
    const away = gate();
    system.collection.beforeIndex = async () => {
      indexed += 1;
      if (indexed === 5) away.open();
    };
    const { id } = await system.client.sync(connector.id);
    await away.promise;
    await system.collection.stop();
    await waitUntil(
      async () => {
        const job = await system.client.job(connector.id, id);
        return (job.progress?.indexed ?? 0) < 12;
      },
      { what: 'the job to wait', timeoutMs: 5_000 },
    );
    await system.collection.start();
    const job = await system.client.ended(connector.id, id);
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 12, indexed: 12, failed: 0 } });
    expect(live()).toHaveLength(12);
  });

  it('takes in the files of an upload that comes while it is at work', async () => {
    const { client, collection } = system;
    connector = await client.createConnector(newCollection(collection.collections));
    const hold = gate();
    const begun = gate();
    collection.beforeIndex = async () => {
      begun.open();
      await hold.promise;
    };
    const first = await client.upload(connector.id, [
      { path: 'a.txt', content: 'old a' },
      { path: 'b.txt', content: 'b' },
    ]);
    await begun.promise;
    const second = await client.upload(connector.id, [
      { path: 'a.txt', content: 'new a' },
      { path: 'c.txt', content: 'c' },
    ]);
    expect(second.jobId).toBe(first.jobId);
    hold.open();
    const job = await client.ended(connector.id, first.jobId);
    expect(job).toMatchObject({
      status: JobStatus.COMPLETED,
      progress: { total: 3, collected: 3, parsed: 3, indexed: 3 },
    });
    expect(document('a.txt').given!.content).toContain('new a');
    expect(live()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  it('is listed newest first', async () => {
    fill(1);
    const first = await sync();
    const second = await sync();
    const { client } = system;
    const page = { page: 1, limit: 1 };
    const { jobs, page: info } = await client.syncs.listJobs({ connectorId: connector.id, page }, client.as());
    expect(jobs.map((job) => job.id)).toEqual([second.id]);
    expect(info).toEqual({ page: 1, limit: 1, total: 2, hasMore: true });
    expect(first.id).not.toBe(second.id);
    await expect(client.job(connector.id, 'job_unknown')).rejects.toMatchObject({ code: 'not_found' });
  });
});
