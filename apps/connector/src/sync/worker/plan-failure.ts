import { SourceError, sourceErrorKinds } from '@lectern/connectors';
import { LeaseLost, WorkerStopping } from '@lectern/resilience';
import { AppError, databaseErrorCode } from '@lectern/service-kit';
import type { FailureRun } from '#sync/store/jobs';

/** What a failed attempt to list a source, or to read its permissions, means for the job. */
export type PlanFailure =
  /** Another worker has leased the job, or it has ended. */
  | { readonly kind: 'lost' }
  /** The process stops, or the database is unavailable: the message is delivered again. */
  | { readonly kind: 'stop' }
  /** A retry cannot help: the job fails. */
  | { readonly kind: 'final'; readonly code: string; readonly message: string }
  /** A retry may help. */
  | { readonly kind: 'retry'; readonly code: string; readonly message: string }
  /** Another service is unavailable. This is not the source's fault. */
  | { readonly kind: 'outage'; readonly code: string; readonly message: string }
  /** The source asks Lectern to wait. */
  | { readonly kind: 'throttled'; readonly error: SourceError };

const INTERNAL = {
  code: 'internal_error',
  message: 'An internal error occurred while the source was listed. Check the log of the connector service.',
} as const;

/** Classifies an error of a plan. */
export function classifyPlanError(error: unknown): PlanFailure {
  if (error instanceof LeaseLost) return { kind: 'lost' };
  if (error instanceof WorkerStopping || databaseErrorCode(error) !== undefined) return { kind: 'stop' };
  if (error instanceof SourceError) {
    if (error.kind === 'rate') return { kind: 'throttled', error };
    const { kind: code, message } = error;
    return { kind: sourceErrorKinds[code].retry ? 'retry' : 'final', code, message };
  }
  if (!(error instanceof AppError)) return { kind: 'retry', ...INTERNAL };
  const { code, message } = error;
  if (code === 'invalid_request') return { kind: 'final', code, message };
  if (code === 'timeout') return { kind: 'retry', code, message };
  // A service that stops cancels its calls.
  return code === 'unavailable' || code === 'cancelled'
    ? { kind: 'outage', ...INTERNAL }
    : { kind: 'retry', ...INTERNAL };
}

/** Waits before the second and each further attempt. The last one repeats. */
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000];
/** Outages of Lectern's services can last this many times longer than those of a source. */
const OUTAGE_FACTOR = 10;

/**
 * Returns the part of an attempt or a wait that counts as time spent failing: at most a quarter of
 * `retryForMs`. So a source gets at least four attempts, however long it asks Lectern to wait.
 */
export const countedMs = (ms: number, retryForMs: number): number => Math.round(Math.min(ms, retryForMs / 4));

/** Returns the milliseconds until the next attempt, or undefined if the job fails instead. */
export function retryDelayMs(
  failure: Extract<PlanFailure, { kind: 'retry' | 'outage' | 'throttled' }>,
  { failures, failingMs }: FailureRun,
  { retryForMs, throttledMs }: { readonly retryForMs: number; readonly throttledMs: number },
): number | undefined {
  const backoffMs = RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? 0;
  const waitMs = failure.kind === 'throttled' ? throttledMs : backoffMs;
  const limitMs = failure.kind === 'outage' ? retryForMs * OUTAGE_FACTOR : retryForMs;
  return failingMs + countedMs(waitMs, retryForMs) >= limitMs ? undefined : waitMs;
}

/** Returns the message of a job that failed because its source kept failing. */
export function gaveUpMessage(message: string, retryForMs: number): string {
  const seconds = Math.max(1, Math.round(retryForMs / 1_000));
  const time = seconds < 120 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.round(seconds / 60)} minutes`;
  return `${message} The sync was ended after ${time} of retries. Sync again when the source is available.`;
}
