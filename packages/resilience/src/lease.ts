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
  /** Starts `timeoutMs` again, because the work has made progress. */
  extendDeadline(): void;
}

export interface LeaseOptions {
  /** A lease that is not renewed for this long is lost. It is renewed four times as often. */
  readonly leaseMs: number;
  /** The maximum time for the work, or since its deadline was extended. Default: no limit. */
  readonly timeoutMs?: number;
  /** Creates the reason of the abort after `timeoutMs`. */
  readonly timeoutError?: () => Error;
  /** Aborted when the process stops. Default: the work is not stopped. */
  readonly stop?: AbortSignal;
  /** Called when `renew` throws. The lease stays valid until `leaseMs` after the last renewal. */
  readonly onRenewError: (error: unknown) => void;
}

const RENEWALS_PER_LEASE = 4;

/** Renews a lease while its work runs. `renew` returns false if the lease is lost. */
export function holdLease(renew: () => Promise<boolean>, options: LeaseOptions): HeldLease {
  const { leaseMs, timeoutMs, timeoutError, stop, onRenewError } = options;
  const work = new AbortController();
  // Every request, body and wait of the work uses this signal.
  setMaxListeners(0, work.signal);
  let renewedAt = Date.now();
  let isRenewing = false;
  let isStopped = false;
  const renewal = setInterval(async () => {
    if (isRenewing) {
      if (Date.now() - renewedAt > leaseMs) work.abort(new LeaseLost('The lease expired.'));
      return;
    }
    isRenewing = true;
    try {
      if (await renew()) renewedAt = Date.now();
      else work.abort(new LeaseLost('The lease was lost.'));
    } catch (error) {
      onRenewError(error);
      if (Date.now() - renewedAt > leaseMs) work.abort(new LeaseLost('The lease expired.'));
    } finally {
      isRenewing = false;
    }
  }, leaseMs / RENEWALS_PER_LEASE);
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
      isStopped = true;
      clearInterval(renewal);
      clearTimeout(deadline);
      stop?.removeEventListener('abort', onStop);
    },
    extendDeadline: () => {
      if (!isStopped) deadline?.refresh();
    },
  };
}

export interface SharedRenewalOptions<K> extends Pick<LeaseOptions, 'leaseMs' | 'onRenewError'> {
  /** Returns the keys of the leases to renew. */
  readonly keys: () => readonly K[];
  /** Renews all of these leases in one call, for example one SQL statement. */
  readonly renew: (keys: readonly K[]) => Promise<unknown>;
}

/**
 * Renews the leases of all work of a process together, for work that is too frequent to renew each
 * lease by itself. The work is not aborted: it checks its lease when it stores its result.
 */
export function renewTogether<K>({ leaseMs, keys, renew, onRenewError }: SharedRenewalOptions<K>): {
  /** Ends the renewal and waits for a running one. */
  stop(): Promise<void>;
} {
  let running: Promise<unknown> | undefined;
  const renewal = setInterval(() => {
    const leased = keys();
    if (running !== undefined || leased.length === 0) return;
    running = (async () => renew(leased))()
      .catch(onRenewError)
      .finally(() => {
        running = undefined;
      });
  }, leaseMs / RENEWALS_PER_LEASE);
  return {
    stop: async () => {
      clearInterval(renewal);
      await running;
    },
  };
}
