import { setMaxListeners } from 'node:events';
import { AppError, type Logger } from '@lectern/service-kit';

/** Somebody else has the work now, or nobody needs it any more: whatever this worker still does must not count. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The process ends before the work did. Somebody else will do it. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';
}

export interface HeldLease {
  /** Aborted with `LeaseLost` once the lease is lost, with `WorkerStopping` when the process stops, with `AppError` when time is up. */
  readonly signal: AbortSignal;
  /** Stops renewing; says nothing to the database. */
  letGo(): void;
}

export interface HoldOptions {
  /** How long the lease lasts without being renewed. */
  readonly leaseMs: number;
  /** How long the work may take in all, where that is bounded: a lease that is renewed for ever is no lease. */
  readonly timeoutMs?: number;
  /** Aborted when the process stops. */
  readonly stop: AbortSignal;
  readonly log: Logger;
}

/** Renews a lease while its work is done. `renew` answers false where it is lost; that it fails is no loss until the lease is over. */
export function holdLease(renew: () => Promise<boolean>, { leaseMs, timeoutMs, stop, log }: HoldOptions): HeldLease {
  const held = new AbortController();
  // Bodies, requests and waits of one piece of work all listen.
  setMaxListeners(0, held.signal);
  let renewedAt = Date.now();
  const timer = setInterval(async () => {
    try {
      if (await renew()) renewedAt = Date.now();
      else held.abort(new LeaseLost('The lease was lost.'));
    } catch (error) {
      log.warn({ err: error }, 'lease could not be renewed');
      if (Date.now() - renewedAt > leaseMs) held.abort(new LeaseLost('The lease ran out.'));
    }
  }, leaseMs / 4);
  const deadline =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          const minutes = Math.max(1, Math.round(timeoutMs / 60_000));
          held.abort(new AppError('timeout', `This took longer than ${minutes} min and was stopped.`));
        }, timeoutMs);
  // Not `AbortSignal.any`: a signal that lives as long as the process would keep a trace of each item that it was joined with.
  const onStop = () => held.abort(new WorkerStopping('The worker is stopping.'));
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  return {
    signal: held.signal,
    letGo: () => {
      clearInterval(timer);
      clearTimeout(deadline);
      stop.removeEventListener('abort', onStop);
    },
  };
}

/** What a failed step means once the signal is taken into account: calls answer an abort in many ways. */
export function reasonOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : error;
}

/** The promise, or the signal's reason as soon as it is aborted: for what may not obey the signal itself. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
