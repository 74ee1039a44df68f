import type { Logger } from '@lectern/service-kit';

/** The work is not this worker's any more: cancelled, replaced, or taken over. Nothing is left to do for it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The process ends before the work did. Somebody else will do it. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';
}

export interface HeldLease {
  /** Aborted with `LeaseLost` once the lease is lost, or when the process stops. */
  readonly signal: AbortSignal;
  /** Stops renewing; says nothing to the database. */
  letGo(): void;
}

export interface HoldOptions {
  /** How long the lease lasts without being renewed. */
  readonly leaseMs: number;
  /** Aborted when the process stops. */
  readonly stop: AbortSignal;
  readonly log: Logger;
}

/** Renews a lease while its work is done. `renew` answers false where it is lost; that it fails is no loss until the lease is over. */
export function holdLease(renew: () => Promise<boolean>, { leaseMs, stop, log }: HoldOptions): HeldLease {
  const lost = new AbortController();
  let renewedAt = Date.now();
  const timer = setInterval(async () => {
    try {
      if (await renew()) renewedAt = Date.now();
      else lost.abort(new LeaseLost('The lease was lost.'));
    } catch (error) {
      log.warn({ err: error }, 'lease could not be renewed');
      if (Date.now() - renewedAt > leaseMs) lost.abort(new LeaseLost('The lease ran out.'));
    }
  }, leaseMs / 4);
  return { signal: AbortSignal.any([lost.signal, stop]), letGo: () => clearInterval(timer) };
}

/** What a failed step means once the signal is taken into account: calls answer an abort in many ways. */
export function reasonOf(error: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted) return error;
  return signal.reason instanceof LeaseLost ? signal.reason : new WorkerStopping('The worker is stopping.');
}
