import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Connector, type ItemChange, JobStatus, SnapshotStatus, SyncMode } from '@lectern/contracts';
import { createCaller, waitUntil } from '@lectern/testing';
import { newCollection } from './support/connector-client.ts';
import { permissions, push as pushTo, put, remove } from './support/push-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

let system: TestSystem;
let connector: Connector;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());
beforeEach(async () => {
  const { client, collection } = system;
  connector = await client.createConnector(newCollection(collection.collections), 'custom');
});

const push = (changes: readonly ItemChange[], snapshotId?: string) =>
  pushTo(system.client, connector.id, changes, snapshotId);
const ended = (jobId: string | undefined) => system.client.ended(connector.id, jobId ?? '');
const pushed = async (changes: readonly ItemChange[], snapshotId?: string) =>
  ended((await push(changes, snapshotId)).jobId);
const live = () => system.collection.live(connector.id);
const documentOf = (id: string) => live().find(({ externalId }) => externalId === id);
const idsOf = () => live().map(({ externalId }) => externalId);
const item = (id: string) => system.client.items.getItem({ connectorId: connector.id, id }, system.client.as());
const start = (id?: string) => system.client.items.startSnapshot({ connectorId: connector.id, id }, system.client.as());
const complete = (snapshotId: string, confirmDeletions = false) =>
  system.client.items.completeSnapshot({ connectorId: connector.id, snapshotId, confirmDeletions }, system.client.as());
const manyItems = (count: number) => Array.from({ length: count }, (_, n) => put(`item-${n}`, 1, `Text ${n}.`));

describe('a pushed item', () => {
  it('becomes a document with its properties and its readers', async () => {
    const job = await pushed([
      put('hr/leave', 7, 'Thirty days.', {
        title: 'Leave',
        principals: ['user:Ada@example.com'],
        metadata: { team: 'HR' },
      }),
    ]);
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, errors: [] });
    expect(job.progress).toMatchObject({ total: 1, collected: 1, parsed: 1, indexed: 1, failed: 0 });
    expect(documentOf('hr/leave')).toMatchObject({
      source: 'custom',
      principals: ['user:ada@example.com'],
      request: { title: 'Leave', content: 'Thirty days.', metadata: { team: 'HR', mimeType: 'text/markdown' } },
    });
    expect(await item('hr/leave')).toMatchObject({
      ...{ revision: 7, title: 'Leave', status: 'indexed', documentId: documentOf('hr/leave')?.id },
      principals: { values: ['user:ada@example.com'] },
    });
  });

  it('is read like a file of its type', async () => {
    const html = { fileName: 'a.html', mimeType: 'text/html' };
    await pushed([put('page', 1, '<p>Thirty <b>days</b>.</p><script>x()</script>', html)]);
    expect(documentOf('page')?.request?.content).not.toContain('<');
  });

  it('is not changed by a revision that is not newer', async () => {
    await pushed([put('a', 5, 'New text.')]);
    const { results, jobId } = await push([put('a', 4, 'Old text.'), put('a', 5, 'Other text.')]);
    expect(results).toEqual([
      { accepted: false, revision: 5 },
      { accepted: false, revision: 5 },
    ]);
    expect(jobId).toBeUndefined();
    expect(documentOf('a')?.request?.content).toBe('New text.');
  });

  it('belongs to the same job if its push is repeated before it is indexed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    system.collection.beforeIndex = () => promise;
    const first = await push([put('a', 1, 'Text.')]);
    const repeated = await push([put('a', 1, 'Text.')]);
    system.collection.beforeIndex = async () => undefined;
    resolve();
    expect(repeated).toEqual({ results: [{ accepted: false, revision: 1 }], jobId: first.jobId });
    await ended(first.jobId);
  });

  it('keeps a job from being overdue while it receives items', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    system.collection.beforeIndex = () => promise;
    const forgotten = await system.client.createConnector(newCollection(system.collection.collections), 'custom');
    const { jobId } = await push([put('a', 1, 'Text.')]);
    const overdue = await pushTo(system.client, forgotten.id, [put('a', 1, 'Text.')]);
    await push([put('b', 1, 'Text.')]);
    const jobs = [jobId, overdue.jobId];
    await system.rows(`UPDATE connector.sync_jobs SET extended_at = NULL WHERE id = $1`, overdue.jobId);
    await system.rows(
      `UPDATE connector.sync_jobs SET started_at = now() - interval '30 days' WHERE id = ANY($1)`,
      jobs,
    );
    expect(await system.client.ended(forgotten.id, overdue.jobId ?? '')).toMatchObject({ status: JobStatus.FAILED });
    system.collection.beforeIndex = async () => undefined;
    resolve();
    expect(await ended(jobId)).toMatchObject({ status: JobStatus.COMPLETED, progress: { indexed: 2 } });
  });

  it.each([
    ['is written', put('a', 2, 'Second.')],
    ['fails', put('a', 2, '%PDF-1.4', { fileName: 'a.pdf', mimeType: 'application/pdf' })],
  ])('has its earlier text if that returns while another text %s', async (_, second) => {
    await pushed([put('a', 1, 'First.')]);
    const started = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const wait = async () => {
      started.resolve();
      await promise;
    };
    system.collection.beforeIndex = wait;
    system.collection.beforeFail = wait;
    const { jobId } = await push([second]);
    await started.promise;
    await push([put('a', 3, 'First.')]);
    system.collection.beforeIndex = async () => undefined;
    system.collection.beforeFail = async () => undefined;
    resolve();
    expect(await ended(jobId)).toMatchObject({ status: JobStatus.COMPLETED });
    expect(documentOf('a')).toMatchObject({ status: 'indexed', request: { content: 'First.' } });
  });

  it('is not indexed again if only its revision or its readers change', async () => {
    await pushed([put('a', 1, 'Text.', { principals: ['user:ada@example.com'] })]);
    const readers = await pushed([permissions('a', 2, ['user:bob@example.com'])]);
    expect(readers.progress).toMatchObject({ total: 1, indexed: 0, skipped: 1 });
    expect(documentOf('a')).toMatchObject({ indexings: 1, principals: ['user:bob@example.com'] });
    await pushed([put('a', 3, 'Text.', { principals: [] })]);
    expect(documentOf('a')).toMatchObject({ indexings: 1, principals: [] });
  });

  it('keeps its readers if a put omits them, and uses those of the connector if none were sent', async () => {
    await pushed([put('a', 1, 'Text.', { principals: ['user:ada@example.com'] }), put('b', 1, 'Text.')]);
    await pushed([put('a', 2, 'New text.'), put('b', 2, 'New text.')]);
    expect(documentOf('a')?.principals).toEqual(['user:ada@example.com']);
    expect(documentOf('b')?.principals).toEqual(['public']);
    const config = { principals: ['group:staff:all'] };
    const { client } = system;
    await client.connectors.updateConnector(
      { id: connector.id, name: undefined, config, credentials: undefined, precondition: undefined },
      client.as(),
    );
    const isApplied = async () => documentOf('b')?.principals[0] === 'group:staff:all';
    await waitUntil(isApplied, { what: 'the readers of the connector to be applied', timeoutMs: 10_000 });
    expect(documentOf('a')?.principals).toEqual(['user:ada@example.com']);
  });

  it('is deleted, and not restored by a late change', async () => {
    await pushed([put('a', 1, 'Text.'), put('b', 1, 'Text.')]);
    const job = await pushed([remove('a', 3), remove('never-seen', 3)]);
    expect(job.progress).toMatchObject({ total: 1, deleted: 1 });
    expect(idsOf()).toEqual(['b']);
    const late = await push([put('a', 2, 'Late.'), put('never-seen', 2, 'Late.')]);
    expect(late.results.map(({ accepted }) => accepted)).toEqual([false, false]);
    await expect(item('a')).rejects.toMatchObject({ code: 'not_found' });
    await pushed([put('a', 4, 'Again.')]);
    expect(documentOf('a')?.request?.content).toBe('Again.');
  });

  it('can be deleted without a revision', async () => {
    const { client } = system;
    await pushed([put('a', 5, 'Text.')]);
    const request = { connectorId: connector.id, id: 'a', revision: undefined };
    const { deleted, jobId } = await client.items.deleteItem(request, client.as());
    expect(deleted).toBe(true);
    await ended(jobId);
    expect(live()).toEqual([]);
    await expect(client.items.deleteItem(request, client.as())).rejects.toMatchObject({ code: 'not_found' });
    await pushed([put('a', 6, 'Text.')]);
    expect((await push([put('a', 5, 'Text.')])).results).toEqual([{ accepted: false, revision: 6 }]);
    const older = await client.items.deleteItem({ ...request, revision: 6 }, client.as());
    expect(older.deleted).toBe(false);
  });

  it('fails with its reason, and a sync tries it again', async () => {
    const broken = { fileName: 'report.pdf', mimeType: 'application/pdf' };
    const job = await pushed([put('a', 1, '%PDF-1.4 broken', broken), put('b', 1, 'Text.')]);
    expect(job).toMatchObject({ status: JobStatus.COMPLETED_WITH_ERRORS, progress: { indexed: 1, failed: 1 } });
    expect(await item('a')).toMatchObject({ status: 'failed', error: { path: 'a', message: job.errors[0]?.message } });
    const { id: jobId } = await system.client.sync(connector.id);
    expect((await ended(jobId)).progress).toMatchObject({ total: 2, skipped: 1, failed: 1 });
    await pushed([put('a', 2, 'Repaired.')]);
    expect(await item('a')).toMatchObject({ status: 'indexed', error: undefined });
  });

  it('is indexed again by a full sync, and listed with the others', async () => {
    await pushed(manyItems(3));
    const { id: jobId } = await system.client.sync(connector.id, { mode: SyncMode.FULL });
    expect((await ended(jobId)).progress).toMatchObject({ total: 3, indexed: 3 });
    const { client } = system;
    const request = { connectorId: connector.id, page: { page: 1, limit: 2 } };
    const { items, page } = await client.items.listItems(request, client.as());
    expect(items.map(({ id, status }) => [id, status])).toEqual([
      ['item-0', 'indexed'],
      ['item-1', 'indexed'],
    ]);
    expect(page).toMatchObject({ total: 3, hasMore: true });
  });

  it('is deleted with its connector, including its content', async () => {
    const blobs = async () => {
      const entries = await readdir(system.env.BLOB_DIR ?? '', { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).length;
    };
    await pushed([put('a', 1, 'Text.')]);
    const before = await blobs();
    await pushed([put('a', 2, 'Other text.'), put('b', 1, 'Text.')]);
    const { client } = system;
    const request = { id: connector.id, keepDocuments: false, precondition: undefined };
    await client.connectors.deleteConnector(request, client.as());
    await waitUntil(async () => live().length === 0 && (await blobs()) < before, {
      what: 'the deletion to end',
      timeoutMs: 10_000,
    });
    expect(await system.rows('SELECT FROM connector.pushed_items WHERE connector_id = $1', connector.id)).toEqual([]);
  });

  it('can be pushed only to a custom connector of the own team, and not for an end user', async () => {
    const { client, clientOf, collection } = system;
    const upload = await client.createConnector(newCollection(collection.collections));
    await expect(pushTo(client, upload.id, [put('a', 1, 'Text.')])).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'connector' }] },
    });
    const otherTeam = clientOf(createCaller());
    await expect(pushTo(otherTeam, connector.id, [put('a', 1, 'Text.')])).rejects.toMatchObject({ code: 'not_found' });
    const forUser = clientOf({ ...client.caller, userEmail: 'ada@example.com' });
    await expect(pushTo(forUser, connector.id, [put('a', 1, 'Text.')])).rejects.toMatchObject({ code: 'forbidden' });
    const list = { connectorId: connector.id, page: undefined };
    await expect(forUser.items.listItems(list, forUser.as())).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('a snapshot', () => {
  it('deletes what it does not name when it is completed, and nothing before', async () => {
    await pushed([put('a', 1, 'Text.'), put('b', 1, 'Text.'), put('c', 1, 'Text.')]);
    const { id } = await start();
    await push([put('a', 1, 'Text.'), put('d', 1, 'Text.')], id);
    await push([permissions('b', 2, ['user:ada@example.com'])], id);
    // A change outside of the snapshot names its item too.
    await pushed([put('e', 1, 'Text.')]);
    expect(idsOf().sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    const completed = await complete(id);
    expect(completed).toMatchObject({ status: SnapshotStatus.COMPLETED, named: 4, missing: 1 });
    expect((await ended(completed.jobId)).progress).toMatchObject({ deleted: 1 });
    expect(idsOf().sort()).toEqual(['a', 'b', 'd', 'e']);
    expect(await complete(id)).toEqual(completed);
    const cancel = { connectorId: connector.id, snapshotId: id };
    await expect(system.client.items.cancelSnapshot(cancel, system.client.as())).rejects.toMatchObject({
      code: 'conflict',
    });
    await pushed([put('c', 1, 'Text.')]);
    expect(documentOf('c')).toBeDefined();
  });

  it('holds deletions of most items until they are confirmed', async () => {
    await pushed(manyItems(30));
    const { id } = await start();
    await push([put('item-0', 1, 'Text 0.')], id);
    const held = await complete(id);
    expect(held).toMatchObject({ status: SnapshotStatus.HELD, named: 1, missing: 29 });
    expect(await ended(held.jobId)).toMatchObject({
      status: JobStatus.COMPLETED_WITH_ERRORS,
      errors: [{ code: 'snapshot_held' }],
    });
    expect(live()).toHaveLength(30);
    const completed = await complete(id, true);
    expect((await ended(completed.jobId)).progress).toMatchObject({ deleted: 29 });
    expect(idsOf()).toEqual(['item-0']);
  });

  it('replaces one that is open, and cannot be used after it ended', async () => {
    await pushed([put('a', 1, 'Text.')]);
    const first = await start();
    const second = await start();
    expect(await start(second.id)).toMatchObject({ id: second.id, status: SnapshotStatus.OPEN });
    await expect(push([put('b', 1, 'Text.')], first.id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(complete(first.id)).rejects.toMatchObject({ code: 'conflict' });
    await system.rows(`UPDATE connector.push_snapshots SET expires_at = now() WHERE id = $1`, second.id);
    await expect(complete(second.id)).rejects.toMatchObject({ code: 'conflict', details: { status: 'expired' } });
    const { client } = system;
    const third = await start();
    const request = { connectorId: connector.id, snapshotId: third.id };
    const cancelled = await client.items.cancelSnapshot(request, client.as());
    expect(cancelled).toMatchObject({ status: SnapshotStatus.CANCELLED });
    expect(await client.items.cancelSnapshot(request, client.as())).toEqual(cancelled);
    await expect(complete(third.id)).rejects.toMatchObject({ code: 'conflict', details: { status: 'cancelled' } });
    expect(idsOf()).toEqual(['a']);
  });

  it('keeps items that were sent but are not valid, and deletes nothing if an id is unknown', async () => {
    await pushed([put('a', 1, 'Text.'), put('b', 1, 'Text.')]);
    const { client } = system;
    const send = (snapshotId: string, invalidIds: string[], hasInvalidId: boolean) =>
      client.items.pushItems(
        { connectorId: connector.id, changes: [], snapshotId, invalidIds, hasInvalidId },
        client.as(),
      );
    const broken = await start();
    await send(broken.id, [], true);
    await expect(complete(broken.id)).rejects.toMatchObject({ code: 'conflict' });
    const { id } = await start();
    await send(id, ['a'], false);
    const completed = await complete(id);
    await ended(completed.jobId);
    expect(idsOf()).toEqual(['a']);
  });
});
