import {
  type ClaimedScheduleRun,
  type EndScheduleRunRequest,
  MAX_APPROVAL_WAIT_MS,
  RunStatus,
} from '@lectern/contracts';
import { backoffMs, LeaseLost, WorkerStopping } from '@lectern/resilience';
import { AppError, type Logger, onBehalfOf, toAppError } from '@lectern/service-kit';
import { isBudgetError } from '#budgets/budget-errors';
import { meterEvents } from '#budgets/meter';
import { chatRequest } from '#chat/requests';
import type { Context } from '#context';
import { forAllTeams } from '#pipeline/for-all-teams';
import type { KeyedCall } from '#pipeline/operation';
import { PASSING_FAILURES } from '#pipeline/passing-failures';
import { findOwner, ownerCall } from '#schedules/owner';
import { readReply } from '#schedules/reply';

/** A longer run is cancelled, like one that somebody started. */
export const DEADLINE_MS = 600_000 + MAX_APPROVAL_WAIT_MS;
const MAX_ATTEMPTS = 3;
const BACKOFF = { minDelayMs: 30_000, maxDelayMs: 300_000 };

/** Not a timeout: it is that of the run itself. */
const PASSING = [...PASSING_FAILURES, 'rate_limited'];

/** What becomes of a run. */
export type Outcome = Pick<EndScheduleRunRequest, 'failure' | 'retry'>;

const COMPLETED: Outcome = { failure: undefined, retry: undefined };

const failed = (code: string, message: string, more: { readonly pause?: string; readonly ignored?: boolean } = {}) => ({
  failure: { code, message, pause: more.pause, ignored: more.ignored ?? false },
  retry: undefined,
});

const OWNER_LOST = failed(
  'owner',
  'The person or key that the schedule runs as is no longer active, or may not manage schedules any more. Save the schedule again to run it as yourself.',
  { pause: 'owner' },
);

/** Returns what an error means. Undefined if another gateway has the run. */
function outcomeOf(error: unknown, attempts: number): Outcome | undefined {
  if (error instanceof LeaseLost) return undefined;
  if (error instanceof WorkerStopping) return { failure: undefined, retry: { waitMs: 0, counts: false } };
  const { code, message } = toAppError(error);
  if (isBudgetError(error)) return failed('budget', message, { ignored: true });
  if (code === 'forbidden' || code === 'not_found') return failed('access', message, { pause: 'access' });
  if (PASSING.includes(code) && attempts < MAX_ATTEMPTS) {
    return { failure: undefined, retry: { waitMs: backoffMs(attempts, BACKOFF), counts: true } };
  }
  return failed(code, message);
}

/** A claimed run. */
export interface Execution {
  readonly ctx: Context;
  readonly run: ClaimedScheduleRun;
  readonly holder: string;
  /** Aborted if the claim is lost or the process stops. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Asks the agent as the owner, within the owner's budget, and notes the run and the reply as soon as they exist. */
async function ask({ ctx, run, holder }: Execution, call: KeyedCall): Promise<Outcome> {
  const request = chatRequest({ message: run.message, agentId: run.agentId });
  const options = { ...onBehalfOf(call), deadline: DEADLINE_MS };
  const note = (known: { conversationId?: string; messageId?: string; runId?: string }) =>
    ctx.clients.schedules.noteScheduleRun({ id: run.id, holder, ...known }, forAllTeams(call.signal));
  const reply = { conversationId: '', messageId: '' };
  let isCancelled = false;
  for await (const { event } of meterEvents(ctx, call, {}, () => ctx.clients.chat.streamChat(request, options))) {
    if (event?.$case === 'messageStart') {
      reply.conversationId = event.value.conversationId;
      reply.messageId = event.value.id;
      await note(reply);
    }
    if (event?.$case !== 'run') continue;
    const step = event.value.event;
    if (step?.$case === 'started') await note({ runId: step.value.runId });
    if (step?.$case === 'completed') isCancelled = step.value.status === RunStatus.CANCELLED;
  }
  if (isCancelled) return failed('cancelled', 'Somebody cancelled the run.', { ignored: true });
  if ((await readReply(ctx, call, reply)) === undefined) {
    throw new AppError('unavailable', 'The chat service did not store the reply.');
  }
  return COMPLETED;
}

/**
 * Executes a claimed run. A reply that an earlier attempt has stored is not requested again. Returns
 * undefined if another gateway has taken it over.
 */
export async function executeRun(execution: Execution): Promise<Outcome | undefined> {
  const { ctx, run, signal, log } = execution;
  try {
    const owner = await findOwner(ctx.db, run.teamId, run.ownerId);
    if (owner === undefined) return OWNER_LOST;
    const call = ownerCall(owner, signal, log);
    if ((await readReply(ctx, call, run)) !== undefined) return COMPLETED;
    let isFailed = true;
    try {
      const outcome = await ask(execution, call);
      isFailed = false;
      return outcome;
    } finally {
      ctx.usage.count(call.usage, { failed: isFailed, durationMs: performance.now() - call.startedAt });
    }
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error;
    log.info({ err: reason }, 'a scheduled run did not complete');
    return outcomeOf(reason, run.attempts);
  }
}
