import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Logger, newId, type ServiceCall, systemCaller } from '@lectern/service-kit';
import { waitUntil } from '@lectern/testing';
import type { Context } from '#context';
import type { Prisma, PrismaClient } from '#gen/prisma/client';
import { claimScheduleDeliveries } from '#handlers/schedule-work';
import { endDelivery } from '#schedules/delivery-store';
import { SCHEDULE_LIMITS } from '#schedules/limits';
import { claimRuns, databaseTime } from '#schedules/run-store';
import { createStarter } from '#schedules/start-schedules';
import { type AgentDatabase, createAgentDatabase } from './support/agent-database.ts';

const NOW = new Date('2026-10-24T20:00:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
const EMAIL = [{ type: 'email', personId: newId('person') }];
/** Written by a newer version. */
const UNKNOWN = [{ type: 'fax', number: '1' }];

let database: AgentDatabase;
let db: PrismaClient;
beforeAll(async () => {
  database = await createAgentDatabase();
  ({ db } = database);
});
beforeEach(() => db.agent.deleteMany());
afterAll(() => database.drop());

async function addAgent() {
  const data = {
    id: newId('agent'),
    teamId: newId('team'),
    name: 'A',
    systemPrompt: 'x',
    tools: [],
    collectionIds: [],
  };
  return db.agent.create({ data });
}
type Agent = Awaited<ReturnType<typeof addAgent>>;

function addSchedule({ id: agentId, teamId }: Agent, more: Partial<Prisma.ScheduleUncheckedCreateInput> = {}) {
  const row = { id: newId('schedule'), teamId, agentId, ownerId: newId('person'), name: 'S', message: 'M' };
  const timing = { cron: '0 7 * * *', timeZone: 'UTC', enabled: true, nextAt: ago(1) };
  return db.schedule.create({ data: { ...row, ...timing, targets: EMAIL, ...more } });
}

async function addRun(agent: Agent, more: Partial<Prisma.ScheduleRunUncheckedCreateInput> = {}) {
  const { id: scheduleId, teamId, agentId, ownerId, message } = await addSchedule(agent);
  const row = { id: newId('schedule_run'), scheduleId, teamId, agentId, ownerId, message, status: 'queued' };
  return db.scheduleRun.create({ data: { ...row, dueAt: ago(1), createdAt: ago(1), ...more } });
}

const runsOf = (scheduleId: string) => db.scheduleRun.findMany({ where: { scheduleId } });

describe('schedules that are due', () => {
  it('run although as many as are read at once fail before them', async () => {
    const agent = await addAgent();
    for (let n = 0; n < 25; n += 1) await addSchedule(agent, { targets: UNKNOWN, nextAt: ago(60) });
    const { id } = await addSchedule(agent);
    const error = jest.fn();
    const start = createStarter(db, { error } as unknown as Logger);
    while ((await start(NOW)) > 0);
    expect(await runsOf(id)).toMatchObject([{ status: 'queued', slotAt: ago(1) }]);
    expect(await db.scheduleRun.count()).toBe(1);
    expect(error).toHaveBeenCalledTimes(25);
  });

  it('are tried again a minute after they failed, for the time that they missed', async () => {
    const { id } = await addSchedule(await addAgent(), { targets: UNKNOWN });
    const error = jest.fn();
    const start = createStarter(db, { error } as unknown as Logger);
    await start(NOW);
    await db.schedule.update({ where: { id }, data: { targets: EMAIL } });
    expect(await start(new Date(NOW.getTime() + 59_000))).toBe(0);
    expect(await start(new Date(NOW.getTime() + 60_000))).toBe(1);
    expect(await runsOf(id)).toMatchObject([{ slotAt: ago(1) }]);
    expect(error).toHaveBeenCalledTimes(1);
  });

  it('continue after the clock of the database went back', async () => {
    const { id } = await addSchedule(await addAgent());
    const start = createStarter(db, { error: jest.fn() } as unknown as Logger);
    await start(NOW);
    await db.schedule.update({ where: { id }, data: { nextAt: ago(1) } });
    await start(NOW);
    expect(await runsOf(id)).toHaveLength(1);
    expect(await db.schedule.findUnique({ where: { id } })).toMatchObject({ nextAt: new Date('2026-10-25T07:00:00Z') });
  });

  it('are planned with the time after a lock, not with the start of the transaction', async () => {
    await db.$transaction(async (tx) => {
      const before = await databaseTime(tx);
      let after = before;
      for (let n = 0; n < 1_000 && after <= before; n += 1) after = await databaseTime(tx);
      expect(after.getTime()).toBeGreaterThan(before.getTime());
    });
  });
});

describe('claims of runs', () => {
  const claim = (limit = 10) => claimRuns(db, { holder: crypto.randomUUID(), limit, now: NOW });

  it('give a team four runs at the same time, also if many gateways claim at once', async () => {
    const agent = await addAgent();
    const runs = [];
    for (let n = 0; n < 12; n += 1) runs.push(await addRun(agent, { dueAt: ago(60 - n) }));
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim()));
    const claimed = claims.flatMap((one) => one.runs.map(({ id }) => id));
    expect(claimed.toSorted()).toEqual(
      runs
        .slice(0, SCHEDULE_LIMITS.runsPerTeam)
        .map(({ id }) => id)
        .toSorted(),
    );
    await db.scheduleRun.updateMany({ where: { id: claimed[0]! }, data: { status: 'completed', leasedUntil: null } });
    expect((await claim()).runs.map(({ id }) => id)).toEqual([runs[4]!.id]);
  });

  it('wait for a claim that is not committed, also if other runs come first now', async () => {
    const agent = await addAgent();
    for (let n = 0; n < 4; n += 1) await addRun(agent);
    const claimed = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const slow = new Proxy(db, {
      get: (target, name) =>
        name === '$transaction'
          ? (work: (tx: Prisma.TransactionClient) => Promise<unknown>) =>
              target.$transaction(async (tx) => {
                const result = await work(tx);
                claimed.resolve();
                await commit.promise;
                return result;
              })
          : Reflect.get(target, name),
    });
    const first = claimRuns(slow, { holder: 'slow', limit: 10, now: NOW });
    await claimed.promise;
    for (let n = 0; n < 4; n += 1) await addRun(agent, { dueAt: ago(60) });
    const second = claim();
    const isWaiting = async () =>
      (
        await db.$queryRaw<unknown[]>`
        SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`
      ).length > 0;
    await waitUntil(isWaiting, { what: 'the second claim to wait for the first', timeoutMs: 30_000 });
    commit.resolve();
    expect((await first).runs).toHaveLength(4);
    expect((await second).runs).toEqual([]);
  });

  it('reach the runs of a team behind the queue of another one', async () => {
    const busy = await addAgent();
    for (let n = 0; n < 12; n += 1) await addRun(busy, { dueAt: ago(60) });
    const { id } = await addRun(await addAgent());
    const { runs } = await claim(5);
    expect(runs).toHaveLength(5);
    expect(runs.map((run) => run.id)).toContain(id);
  });

  it('end a run that was lost too often, and return why that paused its schedule', async () => {
    const agent = await addAgent();
    const lost = { status: 'running', holder: 'x', leasedUntil: ago(1), attempts: SCHEDULE_LIMITS.attempts };
    const first = await addRun(agent, lost);
    const fifth = await addRun(agent, lost);
    await db.schedule.update({ where: { id: fifth.scheduleId }, data: { failures: SCHEDULE_LIMITS.failures - 1 } });
    const { runs, pauses } = await claim();
    expect(runs).toEqual([]);
    expect(pauses).toMatchObject([{ run: { id: fifth.id, ownerId: fifth.ownerId }, reason: 'failing' }]);
    const ended = await db.scheduleRun.findMany({ where: { id: { in: [first.id, fifth.id] } } });
    expect(ended.map(({ errorCode }) => errorCode)).toEqual(['interrupted', 'interrupted']);
  });
});

describe('claims of deliveries', () => {
  it('contain those for a target that this version does not know, without it', async () => {
    const run = await addRun(await addAgent(), { status: 'completed' });
    const due = { runId: run.id, status: 'pending', nextAttemptAt: ago(1), expiresAt: new Date('2100-01-01') };
    const [target = {}] = EMAIL;
    const [unknown = {}] = UNKNOWN;
    await db.scheduleDelivery.createMany({
      data: [
        { ...due, number: 0, target: unknown },
        { ...due, number: 1, target },
      ],
    });
    const call = { caller: systemCaller('all') } as ServiceCall;
    const { deliveries } = await claimScheduleDeliveries({ db } as Context)({ holder: 'a', limit: 10 }, call);
    const targets = deliveries.map(({ number, target: to }) => [number, to?.target?.$case]);
    expect(targets).toEqual([
      [0, undefined],
      [1, 'email'],
    ]);
  });
});

describe('the result for a webhook', () => {
  async function deliver(content: string, title = 'A') {
    const run = await addRun(await addAgent(), { status: 'completed' });
    const target = { type: 'webhook', webhookId: newId('webhook') };
    const key = { runId: run.id, number: 0 };
    await db.scheduleDelivery.create({ data: { ...key, target, status: 'pending', holder: 'h' } });
    const result = { content, sources: [{ id: 'doc', title, url: null }] };
    await endDelivery(db, { ...key, holder: 'h', result }, NOW);
    const [event] = await db.$queryRaw<{ readonly text: string }[]>`
      SELECT data::text AS text FROM event_outbox ORDER BY position DESC LIMIT 1`;
    return event?.text;
  }

  it.each([0, 1])('is stored although the cut is in an emoji or next to it (%d)', async (offset) => {
    expect(await deliver(`${'x'.repeat(offset)}${'😀'.repeat(20_000)}`)).toContain('😀😀');
  });

  it('is stored without characters that PostgreSQL rejects', async () => {
    expect(await deliver('a\u0000b \ud83d', 'c\u0000d')).toContain('cd');
  });

  it('has the reason of a failure without such characters', async () => {
    const run = await addRun(await addAgent(), { status: 'completed' });
    const key = { runId: run.id, number: 0 };
    await db.scheduleDelivery.create({ data: { ...key, target: EMAIL[0]!, status: 'pending', holder: 'h' } });
    const failure = { message: `\u0000${'x'.repeat(998)}😀`, retryable: false, waitMs: 0 };
    await endDelivery(db, { ...key, holder: 'h', failure }, NOW);
    expect(await db.scheduleDelivery.findFirst({ where: key })).toMatchObject({ error: `${'x'.repeat(998)}\ufffd` });
  });
});
