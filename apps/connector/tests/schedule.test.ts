import { describe, expect, it } from '@jest/globals';
import { JobKind, JobStatus, type SyncJob } from '@lectern/contracts';
import { waitUntil } from '@lectern/testing';
import { hasEnded } from './support/connector-client.ts';
import { useScriptedConnector } from './support/use-scripted-connector.ts';

const on = useScriptedConnector({}, 'scripted_rich');

/** Returns the sync jobs, without the permission refresh after each scheduled full listing. */
const jobs = async (kind: JobKind = JobKind.SYNC): Promise<readonly SyncJob[]> => {
  const { jobs: all } = await on.client.syncs.listJobs(
    { connectorId: on.connector.id, page: undefined },
    on.client.as(),
  );
  return all.filter((job) => job.kind === kind);
};

/** Sets a schedule that is due and waits until the job that it starts has ended. */
async function scheduledSync(): Promise<SyncJob> {
  const before = (await jobs()).length;
  const { client, connector, system } = on;
  await client.connectors.updateConnector(
    { id: connector.id, name: undefined, config: { syncEveryMinutes: 5 }, credentials: undefined },
    client.as(),
  );
  for (const sql of [
    `UPDATE connector.connectors SET created_at = created_at - interval '6 min' WHERE id = $1`,
    `UPDATE connector.sync_jobs SET started_at = started_at - interval '6 min' WHERE connector_id = $1`,
    `UPDATE connector.sync_states SET scheduled_at = scheduled_at - interval '6 min' WHERE connector_id = $1`,
  ]) {
    await system.rows(sql, connector.id);
  }
  await waitUntil(async () => (await jobs()).length > before, { what: 'a scheduled job', timeoutMs: 15_000 });
  const [newest] = await jobs();
  return client.ended(connector.id, newest!.id);
}

const changed = (id: string) => ({ type: 'item', ref: { id, path: id, title: id } }) as const;

describe('a schedule', () => {
  it('starts one job for any number of replicas, and no other one before it is due', async () => {
    on.fill(3);
    const replica = await on.system.startReplica({ types: [on.source.type, on.source.richType] });
    expect(await scheduledSync()).toMatchObject({ status: JobStatus.COMPLETED, progress: { indexed: 3 } });
    expect(await jobs()).toHaveLength(1);
    await waitUntil(async () => (await jobs(JobKind.PERMISSIONS)).length === 1, {
      what: 'permissions to be read',
      timeoutMs: 10_000,
    });
    await replica.stop();
  });

  it('reads the change feed between full scans, from before the last listing', async () => {
    on.fill(20);
    await on.sync();
    on.source.items.set('item-0001', 'changed');
    on.source.items.delete('item-0002');
    on.source.items.set('new', 'new');
    on.source.feed.push(changed('item-0001'), { type: 'gone', id: 'item-0002' }, changed('new'));
    on.source.feed.push({ type: 'gone', id: 'never-known' });
    on.source.listingStarts.length = 0;
    const job = await scheduledSync();
    expect(job.progress).toMatchObject({ total: 3, indexed: 2, deleted: 1, failed: 0 });
    expect(on.source.listingStarts).toEqual([]);
    expect(on.source.feedReads).toEqual(['0']);
    expect(on.liveIds()).toEqual([...on.source.items.keys()].sort());

    expect((await scheduledSync()).progress).toMatchObject({ total: 0 });
    expect(on.source.feedReads).toEqual(['0', '4']);
  });

  it('uses the last event of the feed for an item', async () => {
    on.fill(2);
    await on.sync();
    on.source.items.delete('item-0000');
    on.source.feed.push(changed('item-0000'), { type: 'gone', id: 'item-0000' });
    on.source.items.set('item-0001', 'back');
    on.source.feed.push({ type: 'gone', id: 'item-0001' }, changed('item-0001'));
    expect((await scheduledSync()).progress).toMatchObject({ total: 2, indexed: 1, deleted: 1 });
    expect(on.liveIds()).toEqual(['item-0001']);
  });

  it('lists everything if the cursor of the feed has expired, and once a day', async () => {
    on.fill(4);
    await on.sync();
    on.source.feed.push(changed('item-0000'));
    on.source.oldestCursor = 1;
    on.source.listingStarts.length = 0;
    expect((await scheduledSync()).progress).toMatchObject({ total: 4, skipped: 4 });
    expect(on.source.listingStarts).toEqual([undefined]);

    await on.system.rows(
      `UPDATE connector.sync_states SET full_scan_at = now() - interval '25 h' WHERE connector_id = $1`,
      on.connector.id,
    );
    expect((await scheduledSync()).progress).toMatchObject({ total: 4, skipped: 4 });
    expect(on.source.listingStarts).toEqual([undefined, undefined]);
  });

  it('does not turn a manual sync into a partial one', async () => {
    on.fill(4);
    await on.sync();
    expect((await on.sync()).progress).toMatchObject({ total: 4, skipped: 4 });
    expect(on.source.feedReads).toEqual([]);
  });
});

describe('the rows of ended jobs', () => {
  it('are purged except for failures, and the counts do not change', async () => {
    on.fill(3);
    on.source.beforeFetch = async (id) => {
      if (id === 'item-0001') throw new Error('An internal error.');
    };
    on.source.items.set('item-0001', '');
    const { id } = await on.client.sync(on.connector.id);
    await waitUntil(async () => (await on.client.job(on.connector.id, id)).progress?.indexed === 2, {
      what: 'two items',
      timeoutMs: 20_000,
    });
    await on.system.rows(`UPDATE connector.sync_items SET attempts = 20 WHERE job_id = $1`, id);
    const job = await on.client.ended(on.connector.id, id);
    await on.system.rows(
      `UPDATE connector.sync_jobs SET completed_at = now() - interval '15 d', started_at = now() - interval '15 d' WHERE id = $1`,
      id,
    );
    const rows = () =>
      on.system.rows<{ stage: string }>(`SELECT stage::text FROM connector.sync_items WHERE job_id = $1`, id);
    await waitUntil(async () => (await rows()).length === 1, { what: 'the rows to be purged', timeoutMs: 10_000 });
    const after = await on.client.job(on.connector.id, id);
    expect(hasEnded(after)).toBe(true);
    expect({ progress: after.progress, errors: after.errors }).toEqual({ progress: job.progress, errors: job.errors });
    expect(await rows()).toEqual([{ stage: 'failed' }]);
  });
});
