import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyMigrations, newId, prismaOptions } from '@lectern/service-kit';
import { type TestDatabase, testDatabase } from '@lectern/testing';
import { moveConnector } from '#connectors/connector';
import { PrismaClient } from '#gen/prisma/client';
import { closeJob, type Ending } from '#sync/store/jobs';

let database: TestDatabase;
let db: PrismaClient;
const teamId = newId('team');

beforeAll(async () => {
  database = await testDatabase();
  const dir = new URL('../../../prisma/migrations', import.meta.url).pathname;
  await applyMigrations({ url: database.url, schema: 'connector', dir });
  db = new PrismaClient(prismaOptions({ url: database.url, schema: 'connector' }));
  const types = ['sync.completed', 'sync.failed', 'connector.error'];
  await db.eventInterest.create({ data: { teamId, version: 1, types } });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

async function newJob(kind: 'sync' | 'permissions' = 'sync') {
  const collectionId = newId('collection');
  const connector = { id: newId('connector'), teamId, collectionId, name: 'Handbook', type: 'upload' };
  await db.connector.create({ data: { ...connector, status: 'syncing' } });
  const data = { id: newId('job'), teamId, connectorId: connector.id, kind, mode: 'auto', status: 'running' } as const;
  const fields = { connectorId: connector.id, connectorName: 'Handbook', collectionId };
  return { job: await db.syncJob.create({ data }), fields };
}

const end = async (ending: Ending, kind?: 'permissions') => {
  const { job, fields } = await newJob(kind);
  await db.$transaction((tx) => closeJob(tx, job, ending));
  const resource = job.connectorId;
  const rows = await db.eventOutbox.findMany({ where: { resource }, orderBy: { position: 'asc' } });
  const job_ = { ...fields, id: job.id, counts: { indexed: 0, skipped: 0, failed: 0, deleted: 0 } };
  return { events: rows.map(({ type, data }) => ({ type, data })), fields, job: job_ };
};

describe('the end of a sync', () => {
  it('is an event with its counts', async () => {
    const { events, job } = await end({ job: 'completed_with_errors', connector: 'active' });
    expect(events).toEqual([{ type: 'sync.completed', data: { ...job, status: 'completed_with_errors' } }]);
  });

  it('is an event with the code of the error, before that of the connector', async () => {
    const error = { code: 'upstream_error', message: 'The server files.example.com is down.' };
    const { events, fields, job } = await end({ job: 'failed', error, connector: 'error', reason: error.message });
    expect(events).toEqual([
      { type: 'sync.failed', data: { ...job, status: 'failed', error: { code: 'upstream_error' } } },
      { type: 'connector.error', data: { ...fields, status: 'error' } },
    ]);
    expect(JSON.stringify(events)).not.toContain('files.example.com');
  });

  it('is no event if somebody cancelled it, or if it only refreshed permissions', async () => {
    expect((await end({ job: 'cancelled', connector: 'active' })).events).toEqual([]);
    expect((await end({ job: 'completed', connector: 'active' }, 'permissions')).events).toEqual([]);
  });
});

describe('a connector', () => {
  it('whose authorization ends is an event, and one that starts to work is not', async () => {
    const { job, fields } = await newJob();
    for (const status of ['pending_auth', 'active'] as const)
      await db.$transaction((tx) => moveConnector(tx, job.connectorId, status));
    const rows = await db.eventOutbox.findMany({ where: { resource: job.connectorId } });
    expect(rows.map(({ data }) => data)).toEqual([{ ...fields, status: 'pending_auth' }]);
  });
});
