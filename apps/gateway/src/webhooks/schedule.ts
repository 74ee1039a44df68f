const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

/** How long an event is retried. */
export const RETRY_MS = 24 * HOUR_MS;
/** A webhook without a success for this long is disabled, after at least this many failed attempts. */
export const FAILING_MS = 24 * HOUR_MS;
export const MIN_FAILURES = 10;
/** From this many failed attempts on, the webhook has one attempt at a time, with pauses between them. */
export const MANY_FAILURES = 10;

const FIRST_WAIT_MS = 5 * SECOND_MS;
const MAX_WAIT_MS = 4 * HOUR_MS;
const MAX_PROBE_WAIT_MS = 10 * 60 * SECOND_MS;
/** Waits are up to this much longer or shorter, so that many events do not return at the same moment. */
const JITTER = 0.25;

/**
 * Returns the wait after the given number of failed attempts of an event: 5 s, doubled each time, at
 * most 4 h. `random` is between 0 and 1.
 */
export const retryWaitMs = (failures: number, random: number): number =>
  jittered(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1)), random);

/** Returns the pause of a webhook after the given number of failed attempts of any of its events. */
export const probeWaitMs = (failures: number, random: number): number =>
  failures < MANY_FAILURES
    ? 0
    : jittered(Math.min(MAX_PROBE_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - MANY_FAILURES)), random);

const jittered = (ms: number, random: number): number => Math.round(ms * (1 - JITTER + 2 * JITTER * random));

export interface FailedAttempt {
  readonly now: Date;
  /** Attempts so far, including this one. */
  readonly attempts: number;
  readonly expiresAt: Date;
  readonly retryAfterMs: number | undefined;
  readonly random: number;
}

/**
 * Returns when to send an event again, or undefined if there is no time left. The last attempt is made when
 * the time for retries ends, unless the endpoint asked for a pause beyond that.
 */
export function nextAttempt({ now, attempts, expiresAt, retryAfterMs = 0, random }: FailedAttempt): Date | undefined {
  if (now >= expiresAt) return undefined;
  const wanted = now.getTime() + retryAfterMs;
  if (wanted > expiresAt.getTime()) return undefined;
  const backoff = Math.min(now.getTime() + retryWaitMs(attempts, random), expiresAt.getTime());
  return new Date(Math.max(wanted, backoff));
}
