import { backoffMs, holdLease, LeaseLost, WorkerStopping } from '@lectern/resilience';
import { AppError, createCounter, type Running, toAppError } from '@lectern/service-kit';
import type { Context } from '#context';
import type { SlackApp } from '#gen/prisma/client';
import { PASSING_FAILURES } from '#pipeline/passing-failures';
import { startWorkLoop } from '#pipeline/work-loop';
import { answerQuestion, explainFailure, type Work } from '#slack/answer';
import { failApp, openSecrets } from '#slack/app-store';
import { giveFeedback } from '#slack/feedback';
import { type Claimed, claimEvents, finishEvent, LEASE_MS, postponeEvent, renewLease } from '#slack/inbox';
import { createSlackClient, slackProblem } from '#slack/slack-client';

/** Events that a process handles at once. Most of the time, they wait for a language model. */
const CONCURRENT = 8;
/** Attempts that fail for another reason than Slack's rate limit. */
const MAX_ATTEMPTS = 5;
const MAX_AGE_MS = 3_600_000;
const BACKOFF = { minDelayMs: 2_000, maxDelayMs: 60_000 };
const TIMEOUT_MS = 360_000;

const handled = createCounter('lectern_slack_events', 'Questions and feedback from Slack, by outcome');

/** The outcome of an event. */
type Outcome = 'done' | 'failed' | { readonly waitMs: number; readonly counts: boolean };

async function handle(work: Work): Promise<void> {
  const { task } = work.event;
  if (task?.kind === 'question') await answerQuestion(work, task);
  if (task?.kind === 'feedback') await giveFeedback(work, task);
}

/** Failures that may pass. */
const PASSING = [...PASSING_FAILURES, 'timeout', 'cancelled'];

async function outcomeOf(work: Work, error: unknown): Promise<Outcome> {
  const { ctx, app, event, log } = work;
  const problem = slackProblem(error);
  if (problem?.kind === 'dead') {
    await failApp(ctx.db, app, problem.reason);
    return 'failed';
  }
  const isOld = Date.now() - event.createdAt.getTime() > MAX_AGE_MS;
  if (problem?.kind === 'rate' && !isOld) return { waitMs: problem.waitMs, counts: false };
  const mayPass = problem === undefined ? PASSING.includes(toAppError(error).code) : problem.kind === 'temporary';
  if (mayPass && !isOld && event.attempts < MAX_ATTEMPTS)
    return { waitMs: backoffMs(event.attempts, BACKOFF), counts: true };
  log.error(
    { err: error, slack: problem?.kind === 'rejected' ? problem.code : undefined },
    'could not handle an event of Slack',
  );
  if (event.task?.kind === 'question') {
    await explainFailure(work, event.task).catch((err: unknown) =>
      log.warn({ err }, 'could not explain a failure in Slack'),
    );
  }
  return 'failed';
}

async function run(ctx: Context, event: Claimed, app: SlackApp, stop: AbortSignal): Promise<Outcome | undefined> {
  const log = ctx.log.child({ slackApp: app.id });
  const lease = holdLease(() => renewLease(ctx.db, event), {
    leaseMs: LEASE_MS,
    timeoutMs: TIMEOUT_MS,
    timeoutError: () => new AppError('timeout', 'The event of Slack took too long.'),
    stop,
    onRenewError: (err) => log.warn({ err }, 'could not renew the lease of an event of Slack'),
  });
  const { signal } = lease;
  try {
    const client = createSlackClient(ctx, openSecrets(ctx.secrets, app).botToken);
    const work: Work = { ctx, app, client, event, signal, log };
    try {
      await handle(work);
      return 'done';
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (reason instanceof WorkerStopping) return { waitMs: 0, counts: false };
      if (reason instanceof LeaseLost) return undefined;
      return await outcomeOf(work, reason);
    }
  } finally {
    lease.stopRenewing();
  }
}

/** Handles one event, and stores the outcome. An event of an app that ended is dropped. */
async function handleEvent(ctx: Context, event: Claimed, stop: AbortSignal): Promise<void> {
  const app = await ctx.db.slackApp.findUnique({ where: { id: event.appId } });
  if (app === null) return;
  const isActive = app.isEnabled && app.status === 'active';
  const outcome = isActive && event.task !== undefined ? await run(ctx, event, app, stop) : 'failed';
  if (outcome === undefined) return;
  handled.add(1, { outcome: typeof outcome === 'string' ? outcome : 'postponed' });
  if (typeof outcome === 'string') await finishEvent(ctx.db, event, outcome);
  else await postponeEvent(ctx.db, event, outcome);
}

/** Handles stored events. Any replica takes over those of one that was killed. */
export const startSlackWorker = (ctx: Context): Running =>
  startWorkLoop(
    {
      name: 'events of Slack',
      concurrent: CONCURRENT,
      claim: (limit) => claimEvents(ctx.db, limit),
      handle: (event, stop) => handleEvent(ctx, event, stop),
      woken: () => ctx.slack.woken(),
    },
    ctx.log,
  );
