import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyMigrations, newId, prismaOptions } from '@lectern/service-kit';
import { type TestDatabase, testDatabase } from '@lectern/testing';
import { connectorMachine, moveConnector } from '#connectors/connector';
import { PrismaClient } from '#gen/prisma/client';
import { itemMachine, moveItem, OPEN_STAGES } from '#sync/store/items';
import { ACTIVE_JOB, jobMachine, moveJob } from '#sync/store/jobs';

let database: TestDatabase;
let db: PrismaClient;

beforeAll(async () => {
  database = await testDatabase();
  const dir = new URL('../../../prisma/migrations', import.meta.url).pathname;
  await applyMigrations({ url: database.url, schema: 'connector', dir });
  db = new PrismaClient(prismaOptions({ url: database.url, schema: 'connector' }));
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

const teamId = newId('team');

async function makeConnector(status: (typeof connectorMachine.states)[number] = 'active') {
  const data = { id: newId('connector'), teamId, collectionId: newId('collection'), name: 'c', type: 'upload', status };
  return (await db.connector.create({ data })).id;
}

async function makeJob(connectorId: string, status: (typeof jobMachine.states)[number] = 'running') {
  const completedAt = ACTIVE_JOB.includes(status) ? null : new Date();
  const data = { id: newId('job'), teamId, connectorId, mode: 'auto' as const, status, completedAt };
  return (await db.syncJob.create({ data })).id;
}

const pairs = <S extends string>(states: readonly S[]) => states.flatMap((from) => states.map((to) => ({ from, to })));

describe('the database', () => {
  it.each(pairs(connectorMachine.states))(
    'allows or rejects the move of a connector from $from to $to',
    async ({ from, to }) => {
      const id = await makeConnector(from);
      expect(await moveConnector(db, id, to)).toBe(connectorMachine.canMove(from, to));
      const { status } = await db.connector.findUniqueOrThrow({ where: { id } });
      expect(status).toBe(connectorMachine.canMove(from, to) ? to : from);
    },
  );

  it.each(pairs(jobMachine.states))('allows or rejects the move of a job from $from to $to', async ({ from, to }) => {
    const id = await makeJob(await makeConnector(), from);
    expect(await moveJob(db, id, to)).toBe(jobMachine.canMove(from, to));
    const { status, completedAt } = await db.syncJob.findUniqueOrThrow({ where: { id } });
    expect(status).toBe(jobMachine.canMove(from, to) ? to : from);
    expect(completedAt === null).toBe(ACTIVE_JOB.includes(status));
  });

  it.each(pairs(itemMachine.states))(
    'allows or rejects the move of an item from $from to $to',
    async ({ from, to }) => {
      const connectorId = await makeConnector();
      const lease = { id: newId('item'), leaseToken: 'mine', round: 0 };
      const error = { errorCode: 'test', errorMessage: 'Test.' };
      const jobId = await makeJob(connectorId);
      const owner = { teamId, connectorId, jobId, sourceId: 'a', path: 'a', ref: {} };
      await db.syncItem.create({ data: { ...lease, ...owner, stage: from, ...error } });
      expect(await moveItem(db, { ...lease, leaseToken: 'other' }, to, error)).toBe(false);
      expect(await moveItem(db, { ...lease, round: 1 }, to, error)).toBe(false);
      expect(await moveItem(db, lease, to, error)).toBe(itemMachine.canMove(from, to));
      const { stage } = await db.syncItem.findUniqueOrThrow({ where: { id: lease.id } });
      expect(stage).toBe(itemMachine.canMove(from, to) ? to : from);
    },
  );
});

describe('the state machines', () => {
  it('agree on which states are active', () => {
    expect(ACTIVE_JOB).toEqual(['queued', 'running']);
    for (const stage of itemMachine.states) {
      expect(itemMachine.canMove(stage, 'failed')).toBe(OPEN_STAGES.includes(stage));
    }
  });

  it('allow one active job per connector', async () => {
    const connectorId = await makeConnector();
    await makeJob(connectorId, 'queued');
    await makeJob(connectorId, 'completed');
    await expect(makeJob(connectorId, 'running')).rejects.toMatchObject({ code: 'P2002' });
  });
});
