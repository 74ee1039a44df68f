import { describe, expect, it } from '@jest/globals';
import { SourceError } from '@lectern/connectors';
import { JobStatus, SyncMode } from '@lectern/contracts';
import { waitUntil } from '@lectern/testing';
import { useScriptedConnector } from './support/use-scripted-connector.ts';

const on = useScriptedConnector();

/** Runs a sync that fails because the source rejects the credentials. */
async function syncFailing() {
  on.source.beforeFetch = async () => {
    throw new SourceError('auth', 'The token was revoked.');
  };
  const job = await on.sync({ mode: SyncMode.FULL });
  on.source.beforeFetch = async () => undefined;
  return job;
}

/** Runs a sync that is cancelled while its first item is fetched. */
async function syncCancelled() {
  const release = Promise.withResolvers<void>();
  let fetches = 0;
  on.source.beforeFetch = async () => {
    fetches += 1;
    await release.promise;
  };
  const { id } = await on.client.sync(on.connector.id, { mode: SyncMode.FULL });
  await waitUntil(async () => fetches > 0, { what: 'an item to be fetched', timeoutMs: 10_000 });
  await on.client.syncs.cancelJob({ connectorId: on.connector.id, jobId: id }, on.client.as());
  release.resolve();
  on.source.beforeFetch = async () => undefined;
  return on.client.ended(on.connector.id, id);
}

describe('the last sync of a connector', () => {
  it('stays absent after a sync that failed and one that was cancelled', async () => {
    on.fill(2);
    expect(await syncCancelled()).toMatchObject({ status: JobStatus.CANCELLED });
    expect(await on.read()).toMatchObject({ lastSync: undefined });
    expect(await syncFailing()).toMatchObject({ status: JobStatus.FAILED });
    expect(await on.read()).toMatchObject({ lastSync: undefined });
  });

  it('changes with a completed sync, even with errors, but not with a failed or cancelled one', async () => {
    on.fill(2);
    on.source.beforeFetch = async (id) => {
      if (id === 'item-0000') throw new SourceError('forbidden', 'The token has no access to this item.');
    };
    expect(await on.sync()).toMatchObject({ status: JobStatus.COMPLETED_WITH_ERRORS });
    const { lastSync: first } = await on.read();
    expect(first).toBeInstanceOf(Date);
    on.source.beforeFetch = async () => undefined;

    expect(await on.sync({ mode: SyncMode.FULL })).toMatchObject({ status: JobStatus.COMPLETED });
    const { lastSync: second } = await on.read();
    expect(second?.getTime()).toBeGreaterThan(first?.getTime() ?? Number.POSITIVE_INFINITY);

    expect(await syncCancelled()).toMatchObject({ status: JobStatus.CANCELLED });
    expect(await syncFailing()).toMatchObject({ status: JobStatus.FAILED });
    expect(await on.read()).toMatchObject({ lastSync: second });
  });
});
