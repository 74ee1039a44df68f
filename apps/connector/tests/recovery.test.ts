import { describe, expect, it } from '@jest/globals';
import { ConnectorStatus, JobStatus } from '@lectern/contracts';
import { newId } from '@lectern/service-kit';
import { waitUntil } from '@lectern/testing';
import { useScriptedConnector } from './support/use-scripted-connector.ts';

// Simulates crashes by editing rows: a lease that is not renewed, a due retry, an incomplete upload.
const on = useScriptedConnector({ WORK_LEASE_MS: '60000' });

describe('a worker that returns after its lease expired', () => {
  it('cannot duplicate or lose what another worker has listed', async () => {
    on.fill(35);
    const release = Promise.withResolvers<void>();
    const blocked = Promise.withResolvers<void>();
    let first = true;
    on.source.beforePage = async (page) => {
      if (page !== 2 || !first) return;
      first = false;
      blocked.resolve();
      await release.promise;
    };
    const { id } = await on.client.sync(on.connector.id);
    await blocked.promise;
    await on.system.rows(
      `UPDATE connector.sync_jobs SET plan_lease_until = now() - interval '1 s', plan_enqueued_at = now() - interval '1 h' WHERE id = $1`,
      id,
    );
    const job = await on.client.ended(on.connector.id, id);
    release.resolve();
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 35, indexed: 35 } });
    expect(on.source.listingStarts).toEqual([undefined, 'item-0019']);
    expect(on.live()).toHaveLength(35);
    expect(await on.client.job(on.connector.id, id)).toEqual(job);
  });

  it('cannot finish an item that another worker has finished', async () => {
    on.fill(1);
    const release = Promise.withResolvers<void>();
    const blocked = Promise.withResolvers<void>();
    let first = true;
    on.source.beforeFetch = async () => {
      if (!first) return;
      first = false;
      blocked.resolve();
      await release.promise;
    };
    const { id } = await on.client.sync(on.connector.id);
    await blocked.promise;
    await on.system.rows(
      `UPDATE connector.sync_items SET lease_until = now() - interval '1 s', enqueued_at = now() - interval '1 h' WHERE job_id = $1`,
      id,
    );
    const job = await on.client.ended(on.connector.id, id);
    release.resolve();
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 1, indexed: 1 } });
    expect(on.live().map((document) => document.indexings)).toEqual([1]);
  });

  it('blocks the item of a new job for the same file until it is released', async () => {
    on.fill(1);
    const release = Promise.withResolvers<void>();
    const blocked = Promise.withResolvers<void>();
    let busy = 0;
    let maxBusy = 0;
    on.system.collection.beforeIndex = async () => {
      busy += 1;
      maxBusy = Math.max(maxBusy, busy);
      blocked.resolve();
      await release.promise;
      busy -= 1;
    };
    const { client } = on;
    const { id } = await client.sync(on.connector.id);
    await blocked.promise;
    await client.syncs.cancelJob({ connectorId: on.connector.id, jobId: id }, client.as());
    const next = await client.sync(on.connector.id);
    await waitUntil(async () => (await client.job(on.connector.id, next.id)).progress?.total === 1, {
      what: 'the new job to be planned',
      timeoutMs: 10_000,
    });
    release.resolve();
    // The cancelled job had started to write, so its document counts there. The new job skips it.
    expect(await client.ended(on.connector.id, next.id)).toMatchObject({
      status: JobStatus.COMPLETED,
      progress: { indexed: 0, skipped: 1 },
    });
    expect(await client.job(on.connector.id, id)).toMatchObject({
      status: JobStatus.CANCELLED,
      progress: { indexed: 1 },
    });
    expect(maxBusy).toBe(1);
  });
});

describe('the sweeper', () => {
  it('fails an item whose worker crashed at every attempt', async () => {
    on.fill(2);
    const release = Promise.withResolvers<void>();
    on.source.beforePage = () => release.promise;
    const { id } = await on.client.sync(on.connector.id);
    const { teamId } = on.client.caller;
    const ref = { id: 'poison', path: 'poison', title: 'poison' };
    await on.system.rows(
      `INSERT INTO connector.sync_items (id, team_id, connector_id, job_id, source_id, path, ref, attempts)
       VALUES ($1, $2, $3, $4, 'poison', 'poison', $5::jsonb, 8)`,
      newId('item'),
      teamId,
      on.connector.id,
      id,
      JSON.stringify(ref),
    );
    release.resolve();
    expect(await on.client.ended(on.connector.id, id)).toMatchObject({
      status: JobStatus.COMPLETED_WITH_ERRORS,
      progress: { total: 3, indexed: 2, failed: 1 },
      errors: [{ path: 'poison', code: 'worker_lost' }],
    });
  });

  it('fails an overdue job', async () => {
    on.fill(1);
    const release = Promise.withResolvers<void>();
    on.source.beforeFetch = () => release.promise;
    const { id } = await on.client.sync(on.connector.id);
    await on.system.rows(`UPDATE connector.sync_jobs SET started_at = now() - interval '25 h' WHERE id = $1`, id);
    expect(await on.client.ended(on.connector.id, id)).toMatchObject({
      status: JobStatus.FAILED,
      errors: [{ code: 'timeout' }],
    });
    release.resolve();
    const { client } = on;
    expect(await client.connectors.getConnector({ id: on.connector.id }, client.as())).toMatchObject({
      status: ConnectorStatus.ERROR,
      statusReason: expect.stringContaining('24 hours'),
    });
  });

  it('removes the document of an incomplete upload', async () => {
    const { collectionId, id: connectorId } = on.connector;
    const { teamId } = on.client.caller;
    await on.system.rows(
      `INSERT INTO connector.files (id, team_id, connector_id, source_id, path, mime_type, removed_at)
       VALUES ($1, $2, $3, 'half.txt', 'half.txt', 'text/plain', now() + interval '1 s')`,
      newId('file'),
      teamId,
      connectorId,
    );
    await on.system.collection.register({ connectorId, collectionId, source: 'scripted', externalId: 'half.txt' });
    expect(on.live()).toHaveLength(1);
    await waitUntil(async () => on.live().length === 0, { what: 'the document to be removed', timeoutMs: 15_000 });
    await waitUntil(
      async () =>
        (await on.system.rows('SELECT id FROM connector.files WHERE connector_id = $1', connectorId)).length === 0,
      { what: 'the row to be removed', timeoutMs: 15_000 },
    );
  });
});
