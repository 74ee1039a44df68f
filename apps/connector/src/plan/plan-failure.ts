import { SourceError, sourceErrorKinds } from '@lectern/connectors';
import { AppError, databaseErrorCode } from '@lectern/service-kit';
import { LeaseLost, WorkerStopping } from '../leases/hold-lease.ts';

/** What a failed attempt to list a source, or to read its permissions, means for the job. */
export type PlanFailure =
  /** Not this worker's job any more. */
  | { readonly kind: 'lost' }
  /** The process ends, or rows cannot be written: the message goes back to the queue. */
  | { readonly kind: 'stop' }
  /** The source says no, and goes on saying so: the job ends. */
  | { readonly kind: 'final'; readonly code: string; readonly message: string }
  /** May go better soon. */
  | { readonly kind: 'again'; readonly code: string; readonly message: string }
  /** Another service is away, which is not the source's fault. */
  | { readonly kind: 'outage'; readonly code: string; readonly message: string }
  /** The source asks to be left alone. */
  | { readonly kind: 'throttled'; readonly error: SourceError };

const OURS = {
  code: 'internal_error',
  message: 'Something went wrong on our side while the source was listed.',
} as const;

/** Sorts whatever was thrown while a job was planned. */
export function planFailureOf(error: unknown): PlanFailure {
  if (error instanceof LeaseLost) return { kind: 'lost' };
  if (error instanceof WorkerStopping || databaseErrorCode(error) !== undefined) return { kind: 'stop' };
  if (error instanceof SourceError) {
    if (error.kind === 'rate') return { kind: 'throttled', error };
    const { kind: code, message } = error;
    return { kind: sourceErrorKinds[code].retry ? 'again' : 'final', code, message };
  }
  if (!(error instanceof AppError)) return { kind: 'again', ...OURS };
  const { code, message } = error;
  if (code === 'invalid_request') return { kind: 'final', code, message };
  if (code === 'timeout') return { kind: 'again', code, message };
  // A service that goes down cancels the calls it has.
  return code === 'unavailable' || code === 'cancelled' ? { kind: 'outage', ...OURS } : { kind: 'again', ...OURS };
}

/** Waits before the second attempt and those after it; the last one from then on. */
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000];
/** How much longer than a source another service of Lectern's is waited for. */
const OUTAGE_FACTOR = 10;

/** Failures one after another, since the job last came further. */
export interface FailureRun {
  /** The last one included. */
  readonly failures: number;
  /** Milliseconds that they took, with the waits between them, each as `countedMs` counts it. */
  readonly failingMs: number;
}

/**
 * Milliseconds that an attempt, or a wait, counts towards the patience: no single one uses up more than a quarter. So a source is asked at
 * least four times, and is left alone for as long as it wishes in between.
 */
export const countedMs = (ms: number, patienceMs: number): number => Math.round(Math.min(ms, patienceMs / 4));

/** Milliseconds to wait before the next attempt, or undefined where it would come after the patience with the source has ended. */
export function waitAfter(
  failure: Extract<PlanFailure, { kind: 'again' | 'outage' | 'throttled' }>,
  { failures, failingMs }: FailureRun,
  { patienceMs, throttledMs }: { readonly patienceMs: number; readonly throttledMs: number },
): number | undefined {
  const growing = RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? 0;
  const waitMs = failure.kind === 'throttled' ? throttledMs : growing;
  const limitMs = failure.kind === 'outage' ? patienceMs * OUTAGE_FACTOR : patienceMs;
  return failingMs + countedMs(waitMs, patienceMs) >= limitMs ? undefined : waitMs;
}

/** What an admin is told of a source that did not come round. */
export function gaveUp(message: string, patienceMs: number): string {
  const seconds = Math.max(1, Math.round(patienceMs / 1_000));
  const time = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${message} It was asked again and again for ${time}, and then the sync was ended. Sync again when the source answers.`;
}
