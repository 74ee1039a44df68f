import { randomUUID } from 'node:crypto';
import type { ClaimedScheduleDelivery, ClaimedScheduleRun } from '@lectern/contracts';
import { holdLease } from '@lectern/resilience';
import { AppError, createCounter, type Running } from '@lectern/service-kit';
import { recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import { forAllTeams } from '#pipeline/for-all-teams';
import { startWorkLoop } from '#pipeline/work-loop';
import { deliver } from '#schedules/deliver';
import { DEADLINE_MS, executeRun } from '#schedules/execute-run';
import { sendPauseNotice } from '#schedules/pause-notice';

/** Runs and deliveries of a process at the same time. Requests of people come first. */
const RUNS = 4;
const DELIVERIES = 8;
/** The claim of a run in the agent service. */
const LEASE_MS = 60_000;
const STORE_MS = 10_000;

const runs = createCounter('lectern_schedule_runs', 'Runs of schedules, by outcome');
const deliveries = createCounter(
  'lectern_schedule_deliveries',
  'Attempts to deliver the result of a schedule, by outcome',
);

type Held<T> = T & { readonly holder: string };

/** What a claim gets while the agent service is unavailable or older. */
const NO_WORK: readonly string[] = ['unavailable', 'timeout', 'method_not_allowed'];

/** Claims work. While the agent service is unavailable or older, there is none. */
async function claim<T>(request: (holder: string, signal: AbortSignal) => Promise<readonly T[]>): Promise<Held<T>[]> {
  const holder = randomUUID();
  try {
    return (await request(holder, AbortSignal.timeout(STORE_MS))).map((work) => ({ ...work, holder }));
  } catch (error) {
    if (error instanceof AppError && NO_WORK.includes(error.code)) return [];
    throw error;
  }
}

async function notePause(ctx: Context, run: ClaimedScheduleRun, reason: string): Promise<void> {
  const { scheduleId, teamId, agentId, ownerId } = run;
  await recordAudit(
    ctx.db,
    { teamId, keyId: undefined, origin: 'lectern' },
    {
      action: 'pauseSchedule',
      resourceType: 'schedule',
      resourceId: scheduleId,
      details: { agentId, ownerId, reason },
    },
  );
  await sendPauseNotice(ctx, run);
}

async function handleRun(ctx: Context, { holder, ...run }: Held<ClaimedScheduleRun>, stop: AbortSignal): Promise<void> {
  const { id } = run;
  const log = ctx.log.child({ scheduleRun: id });
  const { schedules } = ctx.clients;
  const renew = async () => {
    const { held } = await schedules.renewScheduleRun({ id, holder }, forAllTeams(AbortSignal.timeout(STORE_MS)));
    return held;
  };
  const lease = holdLease(renew, {
    leaseMs: LEASE_MS,
    timeoutMs: DEADLINE_MS,
    timeoutError: () => new AppError('timeout', 'The run took too long.'),
    stop,
    onRenewError: (err) => log.warn({ err }, 'could not renew the claim of a scheduled run'),
  });
  try {
    const outcome = await executeRun({ ctx, run, holder, signal: lease.signal, log });
    if (outcome === undefined) return;
    const call = forAllTeams(AbortSignal.timeout(STORE_MS));
    const { pausedReason } = await schedules.endScheduleRun({ id, holder, ...outcome }, call);
    const name = outcome.retry === undefined ? (outcome.failure?.code ?? 'completed') : 'postponed';
    runs.add(1, { outcome: name });
    if (pausedReason !== undefined) await notePause(ctx, run, pausedReason);
  } finally {
    lease.stopRenewing();
  }
}

async function handleDelivery(
  ctx: Context,
  { holder, ...delivery }: Held<ClaimedScheduleDelivery>,
  stop: AbortSignal,
): Promise<void> {
  const { runId, number } = delivery;
  const attempt = await deliver(ctx, delivery, stop);
  deliveries.add(1, { outcome: attempt.failure === undefined ? 'delivered' : 'failed' });
  const call = forAllTeams(AbortSignal.timeout(STORE_MS));
  await ctx.clients.schedules.endScheduleDelivery({ runId, number, holder, ...attempt }, call);
}

/** Runs the agents of schedules that are due. */
export const startScheduleRuns = (ctx: Context): Running =>
  startWorkLoop(
    {
      name: 'scheduled runs',
      concurrent: RUNS,
      claim: (limit) =>
        claim(async (holder, signal) => {
          const { runs: due, pauses } = await ctx.clients.schedules.claimScheduleRuns(
            { holder, limit },
            forAllTeams(signal),
          );
          const ended = pauses.flatMap(({ run, reason }) => (run === undefined ? [] : { run, reason }));
          return [...due.map((run) => ({ run, reason: undefined })), ...ended];
        }),
      handle: ({ run, reason, holder }, stop) =>
        reason === undefined ? handleRun(ctx, { ...run, holder }, stop) : notePause(ctx, run, reason),
    },
    ctx.log,
  );

/** Delivers the results of schedules. */
export const startScheduleDeliveries = (ctx: Context): Running =>
  startWorkLoop(
    {
      name: 'results of schedules',
      concurrent: DELIVERIES,
      claim: (limit) =>
        claim(async (holder, signal) => {
          const request = { holder, limit };
          return (await ctx.clients.schedules.claimScheduleDeliveries(request, forAllTeams(signal))).deliveries;
        }),
      handle: (delivery, stop) => handleDelivery(ctx, delivery, stop),
    },
    ctx.log,
  );
