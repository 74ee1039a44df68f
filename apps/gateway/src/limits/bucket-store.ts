import type { Rate } from '#limits/rate';

/** What a call asks of a bucket. */
export interface Demand {
  readonly name: string;
  readonly rate: Rate;
  /** Admissions for requests that wait now. */
  readonly needed: number;
  /** Admissions at the most; beyond `needed` a lease for requests that are expected. */
  readonly wanted: number;
}

/** A bucket after a call, by the store's clock, in microseconds. */
export interface Granted {
  readonly granted: number;
  readonly nowUs: number;
  readonly tatUs: number;
}

/** Admissions of a lease that were not used. */
export interface Refund {
  readonly name: string;
  readonly us: number;
}

/** Where the replicas share their buckets. Its calls may fail; the limiter then goes by what it knows. */
export interface BucketStore {
  take(demand: Demand): Promise<Granted>;
  giveBack(refunds: readonly Refund[]): Promise<void>;
  /** Removes buckets that are full again. */
  purge(): Promise<void>;
  close(): Promise<void>;
}
