import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CreateScheduleRequest,
  type Schedule,
  ScheduleRunStatus,
  ScheduleServiceDefinition,
  type UpdateScheduleRequest,
} from '@lectern/contracts';
import { type Caller, connectGrpc, type GrpcClient, newId, prismaOptions, systemCaller } from '@lectern/service-kit';
import { callAs, createCaller, sharedServices } from '@lectern/testing';
import { PrismaClient } from '#gen/prisma/client';
import { type RunSystem, startRunSystem } from './support/run-system.ts';

const TARGET = { target: { $case: 'email', value: { personId: newId('person') } } } as const;
const GATEWAY = callAs(systemCaller('all'));
const team = createCaller();
const ada: Caller = { ...team, keyId: newId('person'), userEmail: 'ada@example.com', mayManage: true };
const bob: Caller = { ...team, keyId: newId('person'), userEmail: 'bob@example.com', mayManage: true };

let system: RunSystem;
let schedules: GrpcClient<typeof ScheduleServiceDefinition>;
let agentId: string;
let close: () => void;
let db: PrismaClient;

beforeAll(async () => {
  system = await startRunSystem(await sharedServices('collection', 'search', 'connector'));
  const connection = connectGrpc(system.address);
  close = () => connection.close();
  schedules = connection.client(ScheduleServiceDefinition);
  db = new PrismaClient(prismaOptions({ url: system.database.url, schema: 'agent' }));
  const agent = await system.agents.createAgent({ name: 'A', systemPrompt: 'Help.' }, callAs(team));
  agentId = agent.id;
});
afterAll(async () => {
  close();
  await db.$disconnect();
  await system.stop();
});

const create = (caller: Caller, more: Partial<CreateScheduleRequest> = {}): Promise<Schedule> =>
  schedules.createSchedule(
    {
      agentId,
      name: 'Report',
      message: 'What is new?',
      cron: '0 7 * * 1',
      timeZone: 'europe/berlin',
      enabled: true,
      targets: [TARGET],
      ...more,
    },
    callAs(caller),
  );
const update = (caller: Caller, id: string, changes: Partial<UpdateScheduleRequest>) =>
  schedules.updateSchedule({ agentId, id, ...changes }, callAs(caller));
const get = (caller: Caller, id: string) => schedules.getSchedule({ agentId, id }, callAs(caller));
const runsOf = async (id: string) =>
  (await schedules.listScheduleRuns({ agentId, scheduleId: id, page: { page: 1, limit: 100 } }, callAs(team))).runs;
/** Starts a run and claims it like a gateway. Other tests may have runs too. */
async function claim(caller: Caller, id: string) {
  const { id: runId } = await schedules.startSchedule({ agentId, id }, callAs(caller));
  const holder = crypto.randomUUID();
  const { runs } = await schedules.claimScheduleRuns({ holder, limit: 50 }, GATEWAY);
  return { holder, run: runs.find((run) => run.id === runId)! };
}

describe('a schedule', () => {
  it('has a normalized timing, the next time, and its creator as owner', async () => {
    const { id } = await create(ada, { cron: ' 0  7 * *  1 ' });
    expect(await get(ada, id)).toMatchObject({
      cron: '0 7 * * 1',
      timeZone: 'Europe/Berlin',
      runsAs: 'ada@example.com',
      nextRunAt: expect.any(Date),
      targets: [TARGET],
    });
  });

  it.each([
    [{ cron: '* * * * *' }, 'cron'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ message: ' ' }, 'message'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ message: 'a\u0000b' }, 'message'],
    [{ targets: [TARGET, TARGET] }, 'targets[1]'],
    [{ targets: [{ target: { $case: 'email' as const, value: { personId: 'x' } } }] }, 'targets[0]'],
    [{ targets: Array.from({ length: 11 }, () => TARGET) }, 'targets'],
  ])('is rejected with %j', async (more, path) => {
    await expect(create(ada, more)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: expect.arrayContaining([expect.objectContaining({ path })]) },
    });
  });

  it('belongs to whoever changes it, unless the change only disables it', async () => {
    const { id } = await create(ada);
    expect(await update(bob, id, { enabled: false })).toMatchObject({ runsAs: 'ada@example.com', enabled: false });
    expect((await get(ada, id)).nextRunAt).toBeUndefined();
    expect(await update(bob, id, { enabled: true })).toMatchObject({ runsAs: 'bob@example.com', enabled: true });
    expect(await update(ada, id, { message: 'And now?' })).toMatchObject({ runsAs: 'ada@example.com' });
    await expect(schedules.startSchedule({ agentId, id }, callAs(bob))).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('gives a run the owner, the message and the targets of the moment when it was due', async () => {
    const { id } = await create(ada);
    const { id: runId } = await schedules.startSchedule({ agentId, id }, callAs(ada));
    await update(bob, id, { message: 'Something else', targets: { values: [] } });
    const { runs } = await schedules.claimScheduleRuns({ holder: 'h1', limit: 50 }, GATEWAY);
    expect(runs.find((run) => run.id === runId)).toMatchObject({ ownerId: ada.keyId, message: 'What is new?' });
    const [stored] = await runsOf(id);
    expect(stored?.deliveries).toMatchObject([{ target: TARGET }]);
  });

  it('runs once at a time, and a retried start starts once', async () => {
    const { id } = await create(ada);
    const runId = newId('schedule_run');
    const start = () => schedules.startSchedule({ agentId, id, runId }, callAs(ada));
    const [first, again] = [await start(), await start()];
    expect(again.id).toBe(first.id);
    await expect(schedules.startSchedule({ agentId, id }, callAs(ada))).rejects.toMatchObject({ code: 'conflict' });
  });

  it('keeps its newest 200 runs, also if it is disabled and only started by hand', async () => {
    const { id, teamId, ownerId } = await db.schedule.findUniqueOrThrow({
      where: { id: (await create(ada, { enabled: false })).id },
    });
    const old = { scheduleId: id, teamId, agentId, ownerId, message: 'M', status: 'failed' };
    const times = Array.from({ length: 205 }, (_, n) => new Date(Date.now() - 60_000 - n));
    await db.scheduleRun.createMany({
      data: times.map((time) => ({ ...old, id: newId('schedule_run'), dueAt: time, createdAt: time })),
    });
    const { id: runId } = await schedules.startSchedule({ agentId, id }, callAs(ada));
    const kept = await db.scheduleRun.findMany({ where: { scheduleId: id } });
    expect(kept).toHaveLength(200);
    expect(kept.map((run) => run.id)).toContain(runId);
    await schedules.deleteSchedule({ agentId, id }, callAs(ada));
  });

  it('reports a pause to the gateway that claims a run which was lost too often', async () => {
    const { id } = await create(ada);
    const { run } = await claim(ada, id);
    await db.schedule.update({ where: { id }, data: { failures: 4 } });
    await db.scheduleRun.update({ where: { id: run.id }, data: { attempts: 3, leasedUntil: new Date(0) } });
    const { runs, pauses } = await schedules.claimScheduleRuns({ holder: crypto.randomUUID(), limit: 50 }, GATEWAY);
    expect(runs.map((other) => other.id)).not.toContain(run.id);
    expect(pauses).toMatchObject([
      { reason: 'failing', run: { id: run.id, scheduleId: id, agentId, ownerId: ada.keyId } },
    ]);
    expect(await get(ada, id)).toMatchObject({ enabled: false, pausedReason: 'failing' });
  });

  it('is paused after five failures in a row, of which a used-up budget is none', async () => {
    const { id } = await create(ada);
    const end = async (failure?: { code: string; ignored: boolean }) => {
      const { holder, run } = await claim(ada, id);
      const request = failure && { message: 'It failed.', ...failure };
      return schedules.endScheduleRun({ id: run.id, holder, failure: request }, GATEWAY);
    };
    const failing = { code: 'upstream_error', ignored: false };
    for (let n = 0; n < 4; n += 1) expect((await end(failing)).pausedReason).toBeUndefined();
    await end();
    expect((await get(ada, id)).failures).toBe(0);
    for (let n = 0; n < 4; n += 1) await end(failing);
    expect((await end({ code: 'budget', ignored: true })).pausedReason).toBeUndefined();
    expect((await end(failing)).pausedReason).toBe('failing');
    expect(await get(ada, id)).toMatchObject({ enabled: false, pausedReason: 'failing', pausedMessage: 'It failed.' });
    expect(await update(ada, id, { enabled: true })).toMatchObject({ failures: 0, pausedReason: undefined });
  });

  it('is not paused for what an earlier owner has lost', async () => {
    const { id } = await create(ada);
    const { holder, run } = await claim(ada, id);
    await update(bob, id, { name: 'Mine' });
    const failure = { code: 'owner', message: 'Gone.', pause: 'owner', ignored: false };
    expect((await schedules.endScheduleRun({ id: run.id, holder, failure }, GATEWAY)).pausedReason).toBeUndefined();
    expect(await get(bob, id)).toMatchObject({ enabled: true, failures: 0 });
  });

  it('delivers only the result of a completed run, and stores why a delivery failed', async () => {
    const { id } = await create(ada);
    const { holder, run } = await claim(ada, id);
    const known = { conversationId: newId('conversation'), messageId: newId('message') };
    await schedules.noteScheduleRun({ id: run.id, holder, ...known }, GATEWAY);
    // Somebody else does not have the claim.
    await schedules.endScheduleRun({ id: run.id, holder: 'other' }, GATEWAY);
    expect((await runsOf(id))[0]).toMatchObject({ status: ScheduleRunStatus.RUNNING });
    await schedules.endScheduleRun({ id: run.id, holder }, GATEWAY);
    const { deliveries } = await schedules.claimScheduleDeliveries({ holder: 'd', limit: 50 }, GATEWAY);
    const own = deliveries.find(({ runId }) => runId === run.id)!;
    expect(own).toMatchObject({ ...known, ownerId: ada.keyId, target: TARGET, scheduleName: 'Report', attempts: 1 });
    const failure = { message: 'No such mailbox.', retryable: false, waitMs: 0 };
    await schedules.endScheduleDelivery({ runId: run.id, number: own.number, holder: 'd', failure }, GATEWAY);
    expect((await runsOf(id))[0]?.deliveries).toMatchObject([{ error: 'No such mailbox.', endedAt: expect.any(Date) }]);
  });

  it('is changed only as the client read it', async () => {
    const { id, revision } = await create(ada);
    const precondition = { revisions: [revision] };
    await update(ada, id, { name: 'B', precondition });
    await expect(update(ada, id, { name: 'C', precondition })).rejects.toMatchObject({ code: 'precondition_failed' });
    const remove = { agentId, id, precondition };
    await expect(schedules.deleteSchedule(remove, callAs(ada))).rejects.toMatchObject({ code: 'precondition_failed' });
  });

  it('is visible to its team only, to restricted keys only if they own it, and never to end users', async () => {
    const { id } = await create(ada);
    await expect(get(createCaller(), id)).rejects.toMatchObject({ code: 'not_found' });
    const scoped: Caller = { ...team, keyId: newId('key'), scope: { kind: 'only', ids: [] } };
    await expect(get(scoped, id)).rejects.toMatchObject({ code: 'not_found' });
    const own = await create(scoped);
    const { schedules: listed } = await schedules.listSchedules(
      { agentId, page: { page: 1, limit: 100 } },
      callAs(scoped),
    );
    expect(listed.map(({ id: found }) => found)).toEqual([own.id]);
    const endUser: Caller = { ...team, userEmail: 'eve@example.com' };
    await expect(get(endUser, id)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(create(endUser)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('does not hand its work to keys and people', async () => {
    for (const caller of [team, ada]) {
      const work = [
        schedules.claimScheduleRuns({ holder: 'x', limit: 1 }, callAs(caller)),
        schedules.claimScheduleDeliveries({ holder: 'x', limit: 1 }, callAs(caller)),
        schedules.endScheduleRun({ id: 'x', holder: 'x' }, callAs(caller)),
        schedules.noteScheduleRun({ id: 'x', holder: 'x' }, callAs(caller)),
        schedules.endScheduleDelivery({ runId: 'x', number: 0, holder: 'x' }, callAs(caller)),
        schedules.renewScheduleRun({ id: 'x', holder: 'x' }, callAs(caller)),
      ];
      for (const call of work) await expect(call).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  it('is one of at most 100 of a team, also if many are created at once', async () => {
    const other = createCaller();
    const agent = await system.agents.createAgent({ name: 'B', systemPrompt: 'Help.' }, callAs(other));
    const createMany = (length: number) =>
      Promise.allSettled(Array.from({ length }, () => create(other, { agentId: agent.id, targets: [] })));
    // Few at once: a request that waits too long for the others is rejected.
    const attempts: PromiseSettledResult<unknown>[] = [];
    for (let round = 0; round < 12; round += 1) attempts.push(...(await createMany(9)));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  });
});
