import type { Rate } from '#limits/rate';

/** A request to a bucket. */
interface Demand {
  readonly name: string;
  readonly rate: Rate;
  /** Admissions for the requests that are waiting now. */
  readonly needed: number;
  /** Maximum admissions; those beyond `needed` are leased for later requests. */
  readonly wanted: number;
}

/** The state of a bucket after a call, by the clock of the store, in microseconds. */
export interface Granted {
  readonly granted: number;
  readonly nowUs: number;
  readonly tatUs: number;
}

/** The unused admissions of a lease, as time in microseconds. */
export interface Refund {
  readonly name: string;
  readonly us: number;
}

/** Stores the buckets that all replicas share. If a call fails, the limiter uses its own state. */
export interface BucketStore {
  take(demand: Demand): Promise<Granted>;
  giveBack(refunds: readonly Refund[]): Promise<void>;
  /** Deletes full buckets. */
  purge(): Promise<void>;
  close(): Promise<void>;
}
