import { createCache } from '@lectern/resilience';
import { createCounter, type Logger } from '@lectern/service-kit';
import { Bucket } from '#limits/bucket';
import type { BucketStore, Refund } from '#limits/bucket-store';
import { type Rate, rateOf } from '#limits/rate';

/** Interval at which unused admissions are given back. */
const SWEEP_MS = 100;
const PURGE_MS = 30_000;
/** A bucket that is unused for this long is removed from memory. The store still has it. */
const IDLE_MS = 60_000;
/** Delay between calls while the store is unavailable. */
const RETRY_MS = 1_000;
const MAX_BUCKETS = 100_000;
const MAX_RATES = 1_000;

const storeFailures = createCounter('lectern_limiter_store_failures', 'Failed calls to the store of rate limits');

/** Whether a request is admitted, and the state of the limit for its response. */
export interface Decision {
  readonly admitted: boolean;
  /** Requests per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds at which the whole limit is available again. */
  readonly resetAt: number;
  /** Whole seconds until a request is admitted, without other requests; 0 if it was admitted. */
  readonly retryAfter: number;
}

/** Rate limits that all replicas share. */
export interface Limiter {
  /**
   * Counts a request. Returns immediately if the decision needs no call to the store. Never fails:
   * while the store is unavailable, each replica admits its share.
   */
  take(name: string, perMinute: number): Decision | Promise<Decision>;
  close(): Promise<void>;
}

export interface LimiterOptions {
  readonly store: BucketStore;
  readonly log: Logger;
  /**
   * The share of each limit, above 0 and at most 1, that this replica admits while the store is
   * unavailable.
   */
  readonly fallbackShare: number;
}

/** Creates the limiter and starts its periodic sweep. */
export function createLimiter({ store, log, fallbackShare }: LimiterOptions): Limiter {
  const buckets = createCache<string, Bucket>({ maxEntries: MAX_BUCKETS });
  const rates = createCache<number, Rate>({ maxEntries: MAX_RATES });
  let unavailableUntil = 0;
  let purgedAt = performance.now();
  let sweeping = false;
  const leasing = new Set<Bucket>();

  const shared = {
    store,
    fallbackShare,
    isUnavailable: () => performance.now() < unavailableUntil,
    failed: (err: unknown) => {
      storeFailures.add(1);
      if (unavailableUntil === 0) {
        log.warn({ err }, 'the store of rate limits is unavailable; this replica admits its share of each limit');
      }
      unavailableUntil = performance.now() + RETRY_MS;
    },
    succeeded: () => {
      if (unavailableUntil !== 0) log.info('the store of rate limits is available again');
      unavailableUntil = 0;
    },
    leased: (bucket: Bucket) => void leasing.add(bucket),
  };

  const rateFor = (perMinute: number): Rate => {
    const known = rates.get(perMinute);
    if (known !== undefined) return known;
    const rate = rateOf(perMinute);
    rates.set(perMinute, rate);
    return rate;
  };

  const sweep = async () => {
    if (sweeping) return;
    sweeping = true;
    try {
      const now = performance.now();
      const refunds: Refund[] = [];
      for (const bucket of leasing) {
        const us = bucket.expire(now);
        if (us > 0) refunds.push({ name: bucket.name, us });
        if (!bucket.hasLease) leasing.delete(bucket);
      }
      if (shared.isUnavailable()) return;
      if (refunds.length > 0) await store.giveBack(refunds);
      if (now - purgedAt < PURGE_MS) return;
      purgedAt = now;
      for (const [name, bucket] of [...buckets]) if (bucket.isIdle(now, IDLE_MS)) buckets.delete(name);
      await store.purge();
    } catch (error) {
      shared.failed(error);
    } finally {
      sweeping = false;
    }
  };
  const timer = setInterval(sweep, SWEEP_MS).unref();

  return {
    take: (name, perMinute) => {
      let bucket = buckets.get(name);
      if (bucket === undefined) {
        bucket = new Bucket(name, shared);
        buckets.set(name, bucket);
      }
      return bucket.take(rateFor(perMinute));
    },
    close: async () => {
      clearInterval(timer);
      await store.close();
    },
  };
}
