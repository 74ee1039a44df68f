import { describe, expect, it } from '@jest/globals';
import { SourceError } from '@lectern/connectors';
import { ConnectorStatus, JobStatus, SyncMode } from '@lectern/contracts';
import { useScriptedConnector } from './support/use-scripted-connector.ts';

const on = useScriptedConnector();

describe('a full scan', () => {
  it('indexes everything, and the next one only changes', async () => {
    on.fill(35);
    const first = await on.sync();
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
    expect(await on.read()).toMatchObject({ status: ConnectorStatus.ACTIVE, lastSync: expect.any(Date) });

    on.source.items.set('item-0003', 'changed');
    on.source.items.delete('item-0004');
    on.source.items.set('new', 'new');
    on.source.fetches = 0;
    const second = await on.sync();
    expect(second.progress).toEqual({
      total: 36,
      collected: 2,
      parsed: 2,
      indexed: 2,
      skipped: 33,
      deleted: 1,
      failed: 0,
    });
    expect(on.source.fetches).toBe(2);
    expect(on.liveIds()).toEqual([...on.source.items.keys()].sort());
    expect(on.document('item-0003').indexings).toBe(2);
  });

  it('compares contents if the source has no versions', async () => {
    on.source.versions = false;
    on.fill(3);
    await on.sync();
    on.source.items.set('item-0001', 'changed');
    const { progress } = await on.sync();
    expect(progress).toEqual({ total: 3, collected: 1, parsed: 1, indexed: 1, skipped: 2, deleted: 0, failed: 0 });
  });

  it('indexes a renamed item again under its document id', async () => {
    on.source.versions = false;
    on.fill(2);
    await on.sync();
    const { id } = on.document('item-0001');
    on.source.titles.set('item-0001', 'Renamed');
    expect((await on.sync()).progress).toMatchObject({ indexed: 1, skipped: 1 });
    expect(on.document('item-0001')).toMatchObject({ id, request: { title: 'Renamed' } });
  });

  it('looks up items that are missing from the listing and deletes only those that no longer exist', async () => {
    on.fill(30);
    await on.sync();
    on.source.confirmGone = true;
    for (const id of [...on.source.items.keys()].slice(0, 24)) on.source.unlisted.add(id);
    on.source.items.delete('item-0003');
    on.source.items.set('item-0004', 'changed');
    const job = await on.sync();
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, errors: [] });
    expect(job.progress).toMatchObject({ total: 30, deleted: 1, indexed: 1, skipped: 28 });
    expect(on.live()).toHaveLength(29);
  });

  it('indexes everything again in full mode and ignores the filter', async () => {
    on.fill(3);
    await on.sync();
    const { progress, mode } = await on.sync({ mode: SyncMode.FULL, fileFilter: ['item-0000'] });
    expect(mode).toBe(SyncMode.FULL);
    expect(progress).toMatchObject({ total: 3, indexed: 3, skipped: 0 });
  });

  it('deletes nothing if the listing is not authoritative', async () => {
    on.fill(3);
    await on.sync();
    on.source.items.delete('item-0000');
    on.source.authoritative = false;
    expect((await on.sync()).progress).toMatchObject({ total: 2, deleted: 0 });
    expect(on.live()).toHaveLength(3);
  });

  it('requires a confirmation to delete most documents', async () => {
    on.fill(30);
    await on.sync();
    for (const id of [...on.source.items.keys()].slice(0, 25)) on.source.items.delete(id);
    const rejected = await on.sync();
    expect(rejected.status).toBe(JobStatus.COMPLETED_WITH_ERRORS);
    expect(rejected.errors).toMatchObject([{ path: '', code: 'deletion_held' }]);
    expect(on.live()).toHaveLength(30);
    const confirmed = await on.sync({ confirmDeletions: true });
    expect(confirmed).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 30, deleted: 25, skipped: 5 } });
    expect(on.live()).toHaveLength(5);
  });

  it('completes for an empty source', async () => {
    expect(await on.sync()).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 0 } });
  });

  it('continues from its checkpoint after a failed listing, and deletes nothing before it is complete', async () => {
    on.fill(25);
    await on.sync();
    on.source.items.delete('item-0024');
    on.source.listingStarts.length = 0;
    let failures = 1;
    on.source.beforePage = async (page) => {
      if (page === 1 && failures-- > 0) throw new SourceError('transient', 'The network failed.');
    };
    const { progress } = await on.sync();
    expect(on.source.listingStarts).toEqual([undefined, 'item-0009']);
    expect(progress).toMatchObject({ total: 25, skipped: 24, deleted: 1 });
  });

  it('fails with the reason if the listing is denied', async () => {
    on.fill(5);
    await on.sync();
    on.source.beforePage = async () => {
      throw new SourceError('auth', 'The token was revoked.');
    };
    const job = await on.sync();
    expect(job).toMatchObject({
      status: JobStatus.FAILED,
      errors: [{ path: '', code: 'auth', message: 'The token was revoked.' }],
    });
    expect(await on.read()).toMatchObject({ status: ConnectorStatus.ERROR, statusReason: 'The token was revoked.' });
    expect(on.live()).toHaveLength(5);
    on.source.beforePage = async () => undefined;
    expect((await on.sync()).status).toBe(JobStatus.COMPLETED);
  });
});

describe('an incremental sync', () => {
  it('indexes the items in its filter, deletes missing ones and reports unknown ones', async () => {
    on.fill(4);
    await on.sync();
    on.source.items.delete('item-0001');
    const job = await on.sync({ mode: SyncMode.INCREMENTAL, fileFilter: ['item-0000', 'item-0001', 'unknown'] });
    expect(job).toMatchObject({
      mode: SyncMode.INCREMENTAL,
      status: JobStatus.COMPLETED_WITH_ERRORS,
      errors: [{ path: 'unknown', code: 'not_found' }],
    });
    expect(job.progress).toEqual({ total: 3, collected: 1, parsed: 1, indexed: 1, skipped: 0, deleted: 1, failed: 1 });
    expect(on.liveIds()).toEqual(['item-0000', 'item-0002', 'item-0003']);
  });

  it('skips indexed items in auto mode', async () => {
    on.fill(2);
    await on.sync();
    const { progress } = await on.sync({ fileFilter: ['item-0000'] });
    expect(progress).toMatchObject({ total: 1, skipped: 1, indexed: 0 });
  });

  it('is rejected without a filter', async () => {
    await expect(on.sync({ mode: SyncMode.INCREMENTAL })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'file_filter' }] },
    });
  });
});
