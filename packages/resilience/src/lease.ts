import { setMaxListeners } from 'node:events';

/**
 * Another worker has the lease, or the work is no longer needed: its results must not be stored.
 */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The process stops before the work is done. Another worker will do it. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';
}

export interface HeldLease {
  /** Aborted with `LeaseLost`, with `WorkerStopping`, or with `timeoutError()`. */
  readonly signal: AbortSignal;
  /** Ends the renewal. The stored lease is not touched: release it separately or let it expire. */
  stopRenewing(): void;
}

export interface LeaseOptions {
  /** A lease that is not renewed for this long is lost. It is renewed four times as often. */
  readonly leaseMs: number;
  /** The maximum time for the work, including renewals. Default: no limit. */
  readonly timeoutMs?: number;
  /** Creates the reason of the abort after `timeoutMs`. */
  readonly timeoutError?: () => Error;
  /** Aborted when the process stops. Default: the work is not stopped. */
  readonly stop?: AbortSignal;
  /** Called when `renew` throws. The lease stays valid until `leaseMs` after the last renewal. */
  readonly onRenewError: (error: unknown) => void;
}

/** Renews a lease while its work runs. `renew` returns false if the lease is lost. */
export function holdLease(renew: () => Promise<boolean>, options: LeaseOptions): HeldLease {
  const { leaseMs, timeoutMs, timeoutError, stop, onRenewError } = options;
  const work = new AbortController();
  // Every request, body and wait of the work uses this signal.
  setMaxListeners(0, work.signal);
  let renewedAt = Date.now();
  const renewal = setInterval(async () => {
    try {
      if (await renew()) renewedAt = Date.now();
      else work.abort(new LeaseLost('The lease was lost.'));
    } catch (error) {
      onRenewError(error);
      if (Date.now() - renewedAt > leaseMs) work.abort(new LeaseLost('The lease expired.'));
    }
  }, leaseMs / 4);
  const onTimeout = () => work.abort(timeoutError?.() ?? new Error(`The work took longer than ${timeoutMs} ms.`));
  const deadline = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
  // Not `AbortSignal.any`: a signal that lives as long as the process would leak memory for each
  // derived signal.
  const onStop = () => work.abort(new WorkerStopping('The worker is stopping.'));
  stop?.addEventListener('abort', onStop, { once: true });
  if (stop?.aborted) onStop();
  return {
    signal: work.signal,
    stopRenewing: () => {
      clearInterval(renewal);
      clearTimeout(deadline);
      stop?.removeEventListener('abort', onStop);
    },
  };
}
