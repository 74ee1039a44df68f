import { holdLease, LeaseLost, WorkerStopping } from '@lectern/resilience';
import { joinSignals, type Running, repeat, toAppError } from '@lectern/service-kit';
import type { Context } from '#context';
import type { TestCase, TestRun } from '#gen/prisma/client';
import { ask } from '#test-runs/ask';
import { BudgetExceeded, endCharge, requestCharge, Undecided, type Used } from '#test-runs/charge-store';
import { checkReply } from '#test-runs/check-reply';
import {
  endRun,
  LEASE_MS,
  leaseRun,
  MAX_ATTEMPTS,
  type NewResult,
  releaseRun,
  remainingCases,
  renewRun,
  saveResult,
  startDueRuns,
} from '#test-runs/run-store';

const POLL_MS = 1_000;
/** The runs that a process executes at once. */
const RUNS = 2;
/** The test cases of a run that are asked at once. People's questions come first. */
const CASES = 2;
const MINUTE_MS = 60_000;
const MAX_MINUTES = 60;
const UNDECIDED = `No gateway decided about the budget of the run within ${MAX_MINUTES} minutes. Check that the gateway runs and reaches the chat service, then start it again.`;

/** Runs test cases: those that were started, and those that are due. */
export function startTestRuns(ctx: Context): readonly Running[] {
  const { db, log } = ctx;
  const schedules = repeat({ name: 'scheduled test runs', intervalMs: POLL_MS, log }, () => startDueRuns(db));
  const workers = Array.from({ length: RUNS }, () =>
    repeat({ name: 'test runs', intervalMs: POLL_MS, log }, (stop) => runNext(ctx, stop)),
  );
  return [schedules, ...workers];
}

async function runNext(ctx: Context, stop: AbortSignal): Promise<void> {
  const { db, log } = ctx;
  const holder = crypto.randomUUID();
  const run = await leaseRun(db, holder);
  if (run === undefined) return;
  if (run.attempts > MAX_ATTEMPTS) {
    const error = `The run was interrupted ${MAX_ATTEMPTS} times. Check the memory of the chat service, then start it again.`;
    await endRun(db, run, holder, { status: 'failed', error });
    return;
  }
  const startedAt = run.startedAt?.getTime() ?? Date.now();
  const timeout = new Error(
    `The run took longer than ${MAX_MINUTES} minutes. Delete test cases, or use a faster model.`,
  );
  const lease = holdLease(() => renewRun(db, run.id, holder), {
    leaseMs: LEASE_MS,
    timeoutMs: Math.max(0, startedAt + MAX_MINUTES * MINUTE_MS - Date.now()),
    timeoutError: () => timeout,
    stop,
    onRenewError: (err) => log.warn({ err, run: run.id }, 'could not renew the lease of a test run'),
  });
  try {
    await runCases(ctx, run, holder, lease.signal);
    await endRun(db, run, holder, { status: 'completed' });
  } catch (error) {
    const reason: unknown = lease.signal.aborted ? lease.signal.reason : error;
    if (reason instanceof BudgetExceeded) {
      await endRun(db, run, holder, { status: 'failed', error: reason.message, overBudget: true });
    } else if (reason instanceof WorkerStopping) await releaseRun(db, run.id, holder);
    else if (reason === timeout) {
      const message = error instanceof Undecided ? UNDECIDED : timeout.message;
      await endRun(db, run, holder, { status: 'failed', error: message });
    }
    // The lease expires, and a worker continues the run.
    else if (!(reason instanceof LeaseLost)) throw reason;
  } finally {
    lease.stopRenewing();
  }
}

/**
 * Asks the remaining test cases. Throws the reason of the signal, `BudgetExceeded`, errors of the
 * database, and `Undecided` if every question waited for its charge.
 */
async function runCases(ctx: Context, run: TestRun, holder: string, signal: AbortSignal): Promise<void> {
  const queue = await remainingCases(ctx.db, run);
  let refusal: BudgetExceeded | undefined;
  const askNext = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      signal.throwIfAborted();
      try {
        const result = await runPaidCase(ctx, run, next, signal);
        signal.throwIfAborted();
        await saveResult(ctx.db, run.id, holder, next, result);
      } catch (error) {
        if (!(error instanceof BudgetExceeded)) throw error;
        // What the other test case reserves may leave enough for this one when it has ended.
        queue.unshift(next);
        refusal = error;
        return;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: CASES }, askNext));
  const errors: unknown[] = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !(error instanceof Undecided)) ?? errors[0];
  if (queue.length > 0 && refusal !== undefined) throw refusal;
}

/** Asks a test case within the budget of the run. Throws `BudgetExceeded`. */
async function runPaidCase(ctx: Context, run: TestRun, testCase: TestCase, signal: AbortSignal): Promise<NewResult> {
  const { id: model } = await ctx.modelsOf(run.teamId).get(undefined);
  const charge = await requestCharge(ctx.db, run, model, signal);
  const written = { characters: 0 };
  let usage: Used['usage'] = null;
  try {
    const { result, tokens } = await runCase(ctx, testCase, written, signal);
    usage = tokens;
    return result;
  } finally {
    if (charge !== undefined) await endCharge(ctx.db, charge, { usage, written: written.characters });
  }
}

interface AskedCase {
  readonly result: NewResult;
  /** Null without a reply. */
  readonly tokens: Used['usage'];
}

async function runCase(
  ctx: Context,
  testCase: TestCase,
  written: { characters: number },
  signal: AbortSignal,
): Promise<AskedCase> {
  const started = performance.now();
  const deadline = AbortSignal.timeout(ctx.config.CHAT_TIMEOUT_MS);
  using ends = joinSignals(signal, deadline);
  const tookMs = () => Math.round(performance.now() - started);
  try {
    const reply = await ask(ctx, testCase, written, ends.signal);
    const { failures, refused, rank } = checkReply(testCase, reply);
    const { content, sources, documents, confidence, usage } = reply;
    const outcome = failures.length === 0 ? 'passed' : 'failed';
    const stored = { content, sources, documents, confidence, usage };
    const result = { outcome, failures, refused, rank, tookMs: tookMs(), error: null, ...stored } as const;
    return { result, tokens: usage };
  } catch (error) {
    const message = deadline.aborted ? 'The reply took too long.' : toAppError(error).message;
    ctx.log.info({ err: error, testCase: testCase.id }, 'a test case has no reply');
    const nothing = { content: '', sources: [], documents: [], confidence: null, usage: null };
    const failed = { outcome: 'error', failures: [], refused: false, rank: null } as const;
    return { result: { ...failed, tookMs: tookMs(), error: message, ...nothing }, tokens: null };
  }
}
