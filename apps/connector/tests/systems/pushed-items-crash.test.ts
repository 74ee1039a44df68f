import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ItemChange, JobStatus, type PushItemsResponse, SnapshotStatus } from '@lectern/contracts';
import { waitUntil } from '@lectern/testing';
import { type ConnectorClient, newCollection } from '../support/connector-client.ts';
import { permissions, push, put, remove } from '../support/push-client.ts';
import { startSystem, type TestSystem } from '../support/start-system.ts';
import { startTwoReplicas, type TwoReplicas } from '../support/two-replicas.ts';

const COUNT = 2_000;
const BATCH = 100;

let system: TestSystem;
let service: TwoReplicas;
let connectorId: string;
let indexed = 0;

beforeAll(async () => {
  system = await startSystem();
  service = await startTwoReplicas(system);
  system.collection.beforeIndex = async () => {
    indexed += 1;
  };
  const [client] = service.clients;
  connectorId = (await client.createConnector(newCollection(system.collection.collections), 'custom')).id;
});
afterAll(async () => {
  await service.stop();
  await system.stop();
});

/** Repeats a call at either replica until one answers, as the SDK does. */
async function persistently<T>(call: (client: ConnectorClient) => Promise<T>): Promise<T> {
  let result: { readonly value: T } | undefined;
  let turn = 0;
  await waitUntil(
    async () => {
      turn += 1;
      const client = service.clients[turn % 2 === 0 ? 0 : 1];
      result = await call(client).then(
        (value) => ({ value }),
        (error: unknown) => {
          if (['invalid_request', 'conflict', 'not_found'].includes(String(Object(error).code))) throw error;
          return undefined;
        },
      );
      return result !== undefined;
    },
    { what: 'a replica to answer', timeoutMs: 60_000 },
  );
  if (result === undefined) throw new Error('No replica answered.');
  return result.value;
}

async function pushAll(changes: readonly ItemChange[], snapshotId?: string): Promise<PushItemsResponse[]> {
  const responses: PushItemsResponse[] = [];
  for (let at = 0; at < changes.length; at += BATCH) {
    const batch = changes.slice(at, at + BATCH);
    responses.push(await persistently((client) => push(client, connectorId, batch, snapshotId)));
  }
  return responses;
}

const killInTurns = (isDone: () => boolean) => service.killInTurns({ progress: () => indexed, step: 150, isDone });

async function untilQuiet(): Promise<void> {
  const active = () =>
    system.rows(
      `SELECT FROM connector.sync_jobs WHERE connector_id = $1 AND status IN ('queued', 'running')`,
      connectorId,
    );
  await waitUntil(async () => (await active()).length === 0, { what: 'the jobs to end', timeoutMs: 240_000 });
}

const idOf = (n: number) => `item-${String(n).padStart(4, '0')}`;
const all = Array.from({ length: COUNT }, (_, n) => n);
const read = () =>
  new Map(
    system.collection
      .live(connectorId)
      .map(({ externalId, principals, request, status }) => [
        externalId,
        { principals, text: request?.content, status },
      ]),
  );

describe('2,000 pushed items', () => {
  it('are all indexed, changed and deleted while the service is killed', async () => {
    const { id: snapshotId } = await persistently((client) =>
      client.items.startSnapshot({ connectorId, id: undefined }, client.as()),
    );
    let isDone = false;
    const first = async () => {
      await pushAll(
        all.map((n) => put(idOf(n), 1, `Text ${n}.`, { principals: ['user:ada@example.com'] })),
        snapshotId,
      );
      await untilQuiet();
      isDone = true;
    };
    const [kills] = await Promise.all([killInTurns(() => isDone), first()]);
    expect(kills).toBeGreaterThanOrEqual(3);
    const stored = read();
    expect(stored.size).toBe(COUNT);
    for (const n of all) {
      expect(stored.get(idOf(n))).toEqual({
        principals: ['user:ada@example.com'],
        text: `Text ${n}.`,
        status: 'indexed',
      });
    }
    const complete = () =>
      persistently((client) =>
        client.items.completeSnapshot({ connectorId, snapshotId, confirmDeletions: false }, client.as()),
      );
    expect(await complete()).toMatchObject({ status: SnapshotStatus.COMPLETED, named: COUNT, missing: 0 });

    // A third gets a new text, a third new readers, a sixth is deleted, a sixth stays.
    isDone = false;
    const changeOf = (n: number): ItemChange[] => {
      if (n % 3 === 0) return [put(idOf(n), 2, `New text ${n}.`)];
      if (n % 3 === 1) return [permissions(idOf(n), 2, ['user:bob@example.com'])];
      return n % 2 === 0 ? [remove(idOf(n), 2)] : [];
    };
    const second = async () => {
      await pushAll(all.flatMap(changeOf));
      await untilQuiet();
      isDone = true;
    };
    await Promise.all([killInTurns(() => isDone), second()]);
    const after = read();
    for (const n of all) {
      const isDeleted = n % 3 === 2 && n % 2 === 0;
      expect(after.get(idOf(n))).toEqual(
        isDeleted
          ? undefined
          : {
              principals: [n % 3 === 1 ? 'user:bob@example.com' : 'user:ada@example.com'],
              text: n % 3 === 0 ? `New text ${n}.` : `Text ${n}.`,
              status: 'indexed',
            },
      );
    }
    const [client] = service.clients;
    const { jobs } = await client.syncs.listJobs({ connectorId, page: undefined }, client.as());
    for (const job of jobs) expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { failed: 0 } });
  });
});
