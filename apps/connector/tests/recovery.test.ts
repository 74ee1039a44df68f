import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectorTypes } from '@lectern/connectors';
import { type Connector, ConnectorStatus, JobStatus } from '@lectern/contracts';
import { newId } from '@lectern/service-kit';
import { waitUntil } from '@lectern/testing';
import { newCollection } from './support/connector-client.ts';
import { createScriptedSource } from './support/scripted-source.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

// What a crash leaves behind is written straight into the rows: a lease that nobody renews, a wait that is over, a half-made upload.
const source = createScriptedSource();
let system: TestSystem;
let connector: Connector;

beforeAll(async () => {
  system = await startSystem({
    overrides: { types: [...connectorTypes, source.type] },
    env: { WORK_LEASE_MS: '60000' },
  });
});
afterAll(() => system.stop());
beforeEach(async () => {
  source.items.clear();
  source.begins.length = 0;
  source.beforePage = async () => undefined;
  source.beforeFetch = async () => undefined;
  system.collection.beforeIndex = async () => undefined;
  connector = await system.client.createConnector(newCollection(system.collection.collections), 'scripted');
});

const fill = (count: number) => {
  for (let n = 0; n < count; n += 1) source.items.set(`item-${String(n).padStart(4, '0')}`, `text ${n}`);
};
const live = () => system.collection.live(connector.id);

describe('a worker that comes back after it was given up', () => {
  it('cannot double or lose what another planner has listed', async () => {
    fill(35);
    const hang = Promise.withResolvers<void>();
    const hung = Promise.withResolvers<void>();
    let first = true;
    source.beforePage = async (page) => {
      if (page !== 2 || !first) return;
      first = false;
      hung.resolve();
      await hang.promise;
    };
    const { id } = await system.client.sync(connector.id);
    await hung.promise;
    await system.rows(
      `UPDATE connector.sync_jobs SET plan_lease_until = now() - interval '1 s', plan_enqueued_at = now() - interval '1 h' WHERE id = $1`,
      id,
    );
    const job = await system.client.ended(connector.id, id);
    hang.resolve();
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 35, indexed: 35 } });
    expect(source.begins).toEqual([undefined, 'item-0019']);
    expect(live()).toHaveLength(35);
    expect(await system.client.job(connector.id, id)).toEqual(job);
  });

  it('cannot finish an item that another worker has finished', async () => {
    fill(1);
    const hang = Promise.withResolvers<void>();
    const hung = Promise.withResolvers<void>();
    let first = true;
    source.beforeFetch = async () => {
      if (!first) return;
      first = false;
      hung.resolve();
      await hang.promise;
    };
    const { id } = await system.client.sync(connector.id);
    await hung.promise;
    await system.rows(
      `UPDATE connector.sync_items SET lease_until = now() - interval '1 s', enqueued_at = now() - interval '1 h' WHERE job_id = $1`,
      id,
    );
    const job = await system.client.ended(connector.id, id);
    hang.resolve();
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 1, indexed: 1 } });
    expect(live().map((document) => document.indexings)).toEqual([1]);
  });

  it('keeps a new job from the same item until it lets go', async () => {
    fill(1);
    const hang = Promise.withResolvers<void>();
    const hung = Promise.withResolvers<void>();
    let busy = 0;
    let most = 0;
    system.collection.beforeIndex = async () => {
      busy += 1;
      most = Math.max(most, busy);
      hung.resolve();
      await hang.promise;
      busy -= 1;
    };
    const { client } = system;
    const { id } = await client.sync(connector.id);
    await hung.promise;
    await client.syncs.cancelJob({ connectorId: connector.id, jobId: id }, client.as());
    const next = await client.sync(connector.id);
    await waitUntil(async () => (await client.job(connector.id, next.id)).progress?.total === 1, {
      what: 'the new job to be planned',
      timeoutMs: 10_000,
    });
    hang.resolve();
    expect(await client.ended(connector.id, next.id)).toMatchObject({
      status: JobStatus.COMPLETED,
      progress: { indexed: 1 },
    });
    expect(most).toBe(1);
  });
});

describe('the sweeper', () => {
  it('fails an item whose worker died every time', async () => {
    fill(2);
    const hang = Promise.withResolvers<void>();
    source.beforePage = () => hang.promise;
    const { id } = await system.client.sync(connector.id);
    const { teamId } = system.client.caller;
    const ref = { id: 'poison', path: 'poison', title: 'poison' };
    await system.rows(
      `INSERT INTO connector.sync_items (id, team_id, connector_id, job_id, source_id, path, ref, attempts)
       VALUES ($1, $2, $3, $4, 'poison', 'poison', $5::jsonb, 8)`,
      newId('item'),
      teamId,
      connector.id,
      id,
      JSON.stringify(ref),
    );
    hang.resolve();
    expect(await system.client.ended(connector.id, id)).toMatchObject({
      status: JobStatus.COMPLETED_WITH_ERRORS,
      progress: { total: 3, indexed: 2, failed: 1 },
      errors: [{ path: 'poison', code: 'worker_lost' }],
    });
  });

  it('ends a job that takes longer than it may', async () => {
    fill(1);
    const hang = Promise.withResolvers<void>();
    source.beforeFetch = () => hang.promise;
    const { id } = await system.client.sync(connector.id);
    await system.rows(`UPDATE connector.sync_jobs SET started_at = now() - interval '25 h' WHERE id = $1`, id);
    expect(await system.client.ended(connector.id, id)).toMatchObject({
      status: JobStatus.FAILED,
      errors: [{ code: 'timeout' }],
    });
    hang.resolve();
    const { client } = system;
    expect(await client.connectors.getConnector({ id: connector.id }, client.as())).toMatchObject({
      status: ConnectorStatus.ERROR,
      statusReason: expect.stringContaining('24 hours'),
    });
  });

  it('clears away the document of an upload that died before it was done', async () => {
    const { collectionId, id: connectorId } = connector;
    const { teamId } = system.client.caller;
    await system.rows(
      `INSERT INTO connector.files (id, team_id, connector_id, source_id, path, mime_type, removed_at)
       VALUES ($1, $2, $3, 'half.txt', 'half.txt', 'text/plain', now() + interval '1 s')`,
      newId('file'),
      teamId,
      connectorId,
    );
    await system.collection.register({ connectorId, collectionId, source: 'scripted', externalId: 'half.txt' });
    expect(live()).toHaveLength(1);
    await waitUntil(async () => live().length === 0, { what: 'the document to be removed', timeoutMs: 15_000 });
    await waitUntil(
      async () =>
        (await system.rows('SELECT id FROM connector.files WHERE connector_id = $1', connectorId)).length === 0,
      { what: 'the row to be removed', timeoutMs: 15_000 },
    );
  });
});
