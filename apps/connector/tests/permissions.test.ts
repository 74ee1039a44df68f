import { describe, expect, it } from '@jest/globals';
import { SourceError } from '@lectern/connectors';
import { JobKind, JobStatus } from '@lectern/contracts';
import { waitUntil } from '@lectern/testing';
import { newCollection } from './support/connector-client.ts';
import { useScriptedConnector } from './support/use-scripted-connector.ts';

const on = useScriptedConnector({}, 'scripted_rich');

const ada = 'user:ada@example.com';
const staff = 'group:scripted:staff';

async function refresh() {
  const { client, connector } = on;
  const { job, applicable } = await client.syncs.startPermissionRefresh({ connectorId: connector.id }, client.as());
  return { applicable, job: await client.ended(connector.id, job!.id) };
}

describe('permissions', () => {
  it('are read with each document, and groups with each full scan', async () => {
    on.fill(3);
    on.source.principals.set('item-0000', [ada, staff]).set('item-0001', ['public']);
    on.source.groups = [{ principal: staff, members: [ada] }];
    await on.sync();
    expect(on.document('item-0000').principals).toEqual([ada, staff]);
    expect(on.document('item-0001').principals).toEqual(['public']);
    expect(on.document('item-0002').principals).toEqual([]);
    expect(on.system.collection.groups.get(staff)?.members).toEqual([ada]);
  });

  it('are refreshed by a separate job without indexing anything', async () => {
    on.fill(120);
    for (const id of on.source.items.keys()) on.source.principals.set(id, ['public']);
    on.source.groups = [{ principal: staff, members: [ada] }];
    await on.sync();
    on.source.fetches = 0;
    for (const id of on.source.items.keys()) on.source.principals.set(id, [staff]);
    on.source.groups = [{ principal: 'group:scripted:others', members: [ada] }];
    const { job, applicable } = await refresh();
    expect(applicable).toBe(true);
    expect(job).toMatchObject({
      kind: JobKind.PERMISSIONS,
      status: JobStatus.COMPLETED,
      progress: { total: 120, collected: 120, indexed: 0 },
    });
    expect(on.live().every(({ principals, indexings }) => principals[0] === staff && indexings === 1)).toBe(true);
    expect(on.source.fetches).toBe(0);
    expect(on.system.collection.groups.has(staff)).toBe(false);
    expect(on.system.collection.groups.has('group:scripted:others')).toBe(true);
  });

  it('are refreshed for the version in the index, not for a listed one that failed', async () => {
    on.fill(2);
    await on.sync();
    on.source.items.set('item-0000', 'changed');
    on.source.beforeFetch = async () => {
      throw new SourceError('forbidden', 'The account cannot read the file.');
    };
    await on.sync();
    await refresh();
    // Both are read at the same time, in any order.
    expect(on.source.readVersions).toEqual(
      new Map([
        ['item-0000', undefined],
        ['item-0001', 'text 1'],
      ]),
    );
    on.source.beforeFetch = async () => undefined;
    await on.sync();
    await refresh();
    expect(on.source.readVersions.get('item-0000')).toBe('changed');
  });

  it('grant no access through groups that the source denies, and do not change during an outage', async () => {
    const { collection } = on.system;
    on.fill(1);
    on.source.groups = [{ principal: staff, members: [ada] }];
    await on.sync();
    let isDown = true;
    on.source.beforeGroups = async () => {
      if (isDown) throw new SourceError('transient', 'The source is unavailable.');
    };
    const { job } = await on.client.syncs.startPermissionRefresh({ connectorId: on.connector.id }, on.client.as());
    await waitUntil(async () => collection.openings > 1, { what: 'a group import to be opened', timeoutMs: 15_000 });
    expect(collection.groups.get(staff)?.members).toEqual([ada]);
    isDown = false;
    expect((await on.client.ended(on.connector.id, job!.id)).status).toBe(JobStatus.COMPLETED);
    on.source.beforeGroups = async () => {
      throw new SourceError('forbidden', 'The account cannot read groups.');
    };
    expect((await refresh()).job.status).toBe(JobStatus.COMPLETED);
    expect(collection.groups.has(staff)).toBe(false);
  });

  it.each([
    ['is still running', false],
    ['fails afterwards', true],
  ])('reports a group import as cancelled, not as failed, if its job is cancelled and it %s', async (_, fails) => {
    const { client, connector, system, source } = on;
    on.fill(1);
    const started = Promise.withResolvers<void>();
    const groupsRead = Promise.withResolvers<void>();
    source.beforeGroups = () => {
      started.resolve();
      return groupsRead.promise;
    };
    const { id: jobId } = await client.sync(connector.id);
    await started.promise;
    await client.syncs.cancelJob({ connectorId: connector.id, jobId }, client.as());
    const { openings, cancelledImports } = system.collection;
    if (fails) groupsRead.reject(new SourceError('transient', 'The source is unavailable.'));
    const isCancelled = () => cancelledImports.some((generation) => generation.startsWith(jobId));
    await waitUntil(async () => isCancelled(), { what: 'the group import to be cancelled', timeoutMs: 30_000 });
    groupsRead.resolve();
    expect(system.collection.openings).toBe(openings);
  });

  it('are refreshed while an upload adds files to the same job', async () => {
    const { client, system } = on;
    on.connector = await client.createConnector(newCollection(system.collection.collections));
    const first = await client.upload(on.connector.id, [{ path: 'a.txt', content: 'a' }]);
    await client.ended(on.connector.id, first.jobId);
    const { job } = await client.syncs.startPermissionRefresh({ connectorId: on.connector.id }, client.as());
    const second = await client.upload(on.connector.id, [{ path: 'b.txt', content: 'b' }]);
    await client.ended(on.connector.id, job!.id);
    expect(await client.ended(on.connector.id, second.jobId)).toMatchObject({
      status: JobStatus.COMPLETED,
      progress: { indexed: 1, failed: 0 },
    });
    expect(on.liveIds()).toEqual(['a.txt', 'b.txt']);
  });

  it('come from the config if the source has none, even after a change', async () => {
    const { client, source, system } = on;
    on.connector = await client.createConnector(newCollection(system.collection.collections), source.type.name);
    on.fill(2);
    await on.sync();
    expect(on.document('item-0000').principals).toEqual(['public']);
    await client.connectors.updateConnector(
      { id: on.connector.id, name: undefined, config: { principals: [ada] }, credentials: undefined },
      client.as(),
    );
    await waitUntil(async () => on.live().every(({ principals }) => principals[0] === ada), {
      what: 'the documents to have the new principals',
      timeoutMs: 15_000,
    });
    await waitUntil(async () => (await on.read()).status === 2, {
      what: 'the connector to be active',
      timeoutMs: 5_000,
    });
    const { applicable, job } = await refresh();
    expect({ applicable, status: job.status }).toEqual({ applicable: false, status: JobStatus.COMPLETED });
  });
});
