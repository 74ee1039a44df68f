import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Logger, newId } from '@lectern/service-kit';
import { runCount } from '@lectern/testing';
import fc from 'fast-check';
import type { PrismaClient } from '#gen/prisma/client';
import { claimDeliveries, endDelivery } from '#schedules/delivery-store';
import { SCHEDULE_LIMITS } from '#schedules/limits';
import { claimRuns, endRun, noteRun } from '#schedules/run-store';
import { nextSlot, type Timing } from '#schedules/slots';
import { createStarter } from '#schedules/start-schedules';
import { type AgentDatabase, createAgentDatabase } from './support/agent-database.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START = Date.parse('2026-10-24T20:00:00Z');
const TIMINGS: readonly Timing[] = [
  { cron: '*/15 * * * *', timeZone: 'UTC' },
  { cron: '30 2 * * *', timeZone: 'Europe/Berlin' },
  { cron: '0 */2 * * *', timeZone: 'Australia/Lord_Howe' },
];

let database: AgentDatabase;
let db: PrismaClient;
beforeAll(async () => {
  database = await createAgentDatabase();
  ({ db } = database);
});
afterAll(() => database.drop());

/** A step of the world. */
type Step =
  | { readonly kind: 'wait'; readonly minutes: number }
  /** Replicas that look for due schedules at the same time. Some die before they commit. */
  | { readonly kind: 'tick'; readonly deaths: readonly boolean[] }
  /** A gateway that claims runs, and what happens to them. */
  | { readonly kind: 'work'; readonly outcome: 'completes' | 'fails' | 'dies' | 'dies after the reply' | 'is slow' }
  | { readonly kind: 'deliver'; readonly outcome: 'succeeds' | 'fails' | 'dies' }
  /** A gateway that continues after others took its run over. */
  | { readonly kind: 'wake' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 90 }).map((minutes) => ({ kind: 'wait' as const, minutes })) },
    {
      weight: 3,
      arbitrary: fc
        .array(fc.boolean(), { minLength: 1, maxLength: 3 })
        .map((deaths) => ({ kind: 'tick' as const, deaths })),
    },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(
          'completes' as const,
          'fails' as const,
          'dies' as const,
          'dies after the reply' as const,
          'is slow' as const,
        )
        .map((outcome) => ({ kind: 'work' as const, outcome })),
    },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom('succeeds' as const, 'fails' as const, 'dies' as const)
        .map((outcome) => ({ kind: 'deliver' as const, outcome })),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'wake' as const }) },
  ),
  { minLength: 5, maxLength: 40 },
);

class Killed extends Error {}

/** A client whose process dies immediately before the commit. */
const dying = (client: PrismaClient): PrismaClient =>
  new Proxy(client, {
    get: (target, name) =>
      name === '$transaction'
        ? (work: (tx: unknown) => Promise<unknown>) =>
            target.$transaction(async (tx) => {
              await work(tx);
              throw new Killed();
            })
        : Reflect.get(target, name),
  });

/** Runs the steps, and then everything that is left. Returns what happened. */
async function play(script: readonly Step[]) {
  await db.agent.deleteMany();
  const teamId = newId('team');
  const agent = await db.agent.create({
    data: { id: newId('agent'), teamId, name: 'A', systemPrompt: 'x', tools: [], collectionIds: [] },
  });
  let now = START;
  /** The next time of each schedule, as it must be stored. */
  const next = new Map<string, number>();
  /** The times that must have a run, by schedule. */
  const expected = new Map<string, number[]>();
  for (const timing of TIMINGS) {
    const id = newId('schedule');
    const nextAt = nextSlot(timing, new Date(now))!;
    next.set(id, nextAt.getTime());
    expected.set(id, []);
    const targets = [{ type: 'email', personId: newId('person') }];
    const row = { id, teamId, agentId: agent.id, ownerId: newId('person'), name: 'S', message: 'M', enabled: true };
    await db.schedule.create({ data: { ...row, ...timing, targets, nextAt } });
  }
  const timingOf = new Map((await db.schedule.findMany()).map((schedule) => [schedule.id, schedule]));
  /** How often an answer was stored and ended, by run. */
  const completions = new Map<string, number>();
  const delivered = new Map<string, number>();
  const slow: { readonly id: string; readonly holder: string }[] = [];

  const tick = async (deaths: readonly boolean[]) => {
    const at = new Date(now);
    const failures: unknown[][] = deaths.map(() => []);
    const starters = deaths.map((dies, index) => {
      const error = ({ err }: { readonly err: unknown }) => failures[index]?.push(err);
      return createStarter(dies ? dying(db) : db, { error } as unknown as Logger);
    });
    await Promise.all(starters.map((start) => start(at)));
    for (const [index, errors] of failures.entries()) {
      expect(errors.filter((error) => !(deaths[index] && error instanceof Killed))).toEqual([]);
    }
    // A replica that died can have locked what the others skipped: the next look finds it.
    if (deaths.every((dies) => dies)) return;
    const live = starters[deaths.indexOf(false)]!;
    while ((await live(at)) > 0);
    expect(failures[deaths.indexOf(false)]).toEqual([]);
    for (const [id, slot] of next) {
      if (slot > now) continue;
      expected.get(id)?.push(slot);
      next.set(id, nextSlot(timingOf.get(id)!, at)!.getTime());
    }
  };
  const finish = async (id: string, holder: string, isFailed: boolean) => {
    await noteRun(db, id, holder, { conversationId: 'conv', messageId: 'msg' });
    const before = await db.scheduleRun.findUniqueOrThrow({ where: { id } });
    const failure = isFailed ? { code: 'timeout', message: 'Too slow.', ignored: true } : undefined;
    await endRun(db, { id, holder, failure }, new Date(now));
    const after = await db.scheduleRun.findUniqueOrThrow({ where: { id } });
    const isMine = before.status === 'running' && before.holder === holder;
    expect(after.status).toBe(isMine ? (isFailed ? 'failed' : 'completed') : before.status);
    if (isMine && !isFailed) completions.set(id, (completions.get(id) ?? 0) + 1);
  };
  const work = async (outcome: Extract<Step, { kind: 'work' }>['outcome']) => {
    const holder = crypto.randomUUID();
    const { runs: claimed } = await claimRuns(db, { holder, limit: 10, now: new Date(now) });
    for (const { id } of claimed) {
      if (outcome === 'is slow') slow.push({ id, holder });
      else if (outcome === 'dies after the reply')
        await noteRun(db, id, holder, { conversationId: 'c', messageId: 'm' });
      else if (outcome !== 'dies') await finish(id, holder, outcome === 'fails');
    }
    return claimed.length;
  };
  const deliver = async (outcome: Extract<Step, { kind: 'deliver' }>['outcome']) => {
    const holder = crypto.randomUUID();
    const claimed = await claimDeliveries(db, { holder, limit: 10, now: new Date(now) });
    for (const { runId, number } of claimed) {
      if (outcome === 'dies') continue;
      const failure = outcome === 'fails' ? { message: 'No.', retryable: true, waitMs: 0 } : undefined;
      await endDelivery(db, { runId, number, holder, failure }, new Date(now));
      if (outcome === 'succeeds') delivered.set(runId, (delivered.get(runId) ?? 0) + 1);
    }
  };
  for (const step of script) {
    if (step.kind === 'wait') now += step.minutes * MINUTE_MS;
    if (step.kind === 'tick') await tick(step.deaths);
    if (step.kind === 'work') await work(step.outcome);
    if (step.kind === 'deliver') await deliver(step.outcome);
    if (step.kind === 'wake') for (const { id, holder } of slow.splice(0)) await finish(id, holder, false);
    const open = await db.scheduleRun.groupBy({
      by: ['scheduleId'],
      where: { status: { in: ['queued', 'running'] } },
      _count: true,
    });
    expect(open.every(({ _count }) => _count === 1)).toBe(true);
    const stored = await db.schedule.findMany();
    expect(new Map(stored.map(({ id, nextAt }) => [id, nextAt?.getTime()]))).toEqual(next);
  }
  for (let round = 0; round <= SCHEDULE_LIMITS.attempts + 2; round += 1) {
    now += 2 * MINUTE_MS;
    await work('completes');
  }
  for (let hours = 0; hours < 26; hours += 1) {
    await deliver('succeeds');
    now += HOUR_MS;
  }
  const runs = await db.scheduleRun.findMany({ include: { deliveries: true } });
  return { runs, expected, completions, delivered };
}

describe('schedules with replicas that die', () => {
  it('run each time once or record why not, and lose no result', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const { runs, expected, completions, delivered } = await play(script);
        for (const [scheduleId, slots] of expected) {
          const own = runs.filter((run) => run.scheduleId === scheduleId);
          expect(own.map(({ slotAt }) => slotAt?.getTime()).toSorted()).toEqual(slots.toSorted());
        }
        for (const { id, status, attempts, deliveries } of runs) {
          expect(['completed', 'failed', 'skipped']).toContain(status);
          expect(attempts).toBeLessThanOrEqual(SCHEDULE_LIMITS.attempts + 1);
          expect(completions.get(id) ?? 0).toBe(status === 'completed' ? 1 : 0);
          const [delivery] = deliveries;
          if (status === 'completed') expect([delivery?.status, delivered.get(id)]).toEqual(['delivered', 1]);
          if (status === 'failed') expect([delivery?.status, delivered.get(id)]).toEqual(['cancelled', undefined]);
          if (status === 'skipped') expect(deliveries).toEqual([]);
        }
      }),
      { numRuns: runCount({ quick: 12, full: 300 }) },
    );
  });
});
