import type { BucketStore } from '#limits/bucket-store';
import type { Decision } from '#limits/limiter';
import { availableAt, type Rate, rateOf, waitUs } from '#limits/rate';

/**
 * Leased admissions are used within this time or given back. They count when they are leased, so
 * one minute admits at most the requests of 60.5 s: 0.9% above the limit.
 */
const LEASE_MS = 500;
/** Admissions for waiting requests stay valid for at least this long, even if the store is slow. */
const WAITERS_MS = 50;
const MAX_LEASE = 256;
/** Added to Retry-After before rounding up: clocks and timers of clients are not exact. */
const MARGIN_US = 50_000;

/** The state that all buckets of a process share. */
export interface SharedState {
  readonly store: BucketStore;
  readonly fallbackShare: number;
  /** True while the store must not be called. */
  isUnavailable(): boolean;
  /** Called when a call to the store failed. */
  failed(error: unknown): void;
  /** Called when a call to the store succeeded. */
  succeeded(): void;
  /** Called when a bucket has a lease, whose unused admissions must be given back. */
  leased(bucket: Bucket): void;
}

const microseconds = () => performance.now() * 1_000;

/** One limit in this process: a lease of admissions, and the last known state of the bucket. */
export class Bucket {
  readonly name: string;
  readonly #shared: SharedState;
  #rate: Rate | undefined;
  /** The remaining admissions of the lease, and when it expires (monotonic milliseconds). */
  #leased = 0;
  #leaseEnds = 0;
  #usedAt = 0;
  /** The size of the next lease. It follows how fast the last leases were used. */
  #wanted = 1;
  /** The bucket's theoretical arrival time on this process's monotonic clock, in microseconds. */
  #tatUs = 0;
  #waiting = 0;
  #pending: Promise<void> | undefined;

  constructor(name: string, shared: SharedState) {
    this.name = name;
    this.#shared = shared;
  }

  /**
   * Admits or rejects a request. Decides without the store if a lease remains or the bucket is
   * known to be empty.
   */
  take(rate: Rate): Decision | Promise<Decision> {
    if (this.#rate?.perMinute !== rate.perMinute) this.#leased = 0;
    this.#rate = rate;
    return this.#decideNow(rate) ?? this.#decideLater(rate);
  }

  /** Ends an expired lease. Returns the microseconds to give back. */
  expire(nowMs: number): number {
    if (this.#leased === 0 || this.#rate === undefined || nowMs < this.#leaseEnds) return 0;
    const us = this.#leased * this.#rate.intervalUs;
    this.#leased = 0;
    this.#tatUs -= us;
    this.#wanted = Math.max(1, this.#wanted >> 1);
    return us;
  }

  get hasLease(): boolean {
    return this.#leased > 0;
  }

  /** True if there is no lease and there was no request for `idleMs`. */
  isIdle(nowMs: number, idleMs: number): boolean {
    return this.#leased === 0 && this.#waiting === 0 && nowMs - this.#usedAt > idleMs;
  }

  #decideNow(rate: Rate): Decision | undefined {
    const nowMs = performance.now();
    this.#usedAt = nowMs;
    if (this.#leased > 0 && nowMs < this.#leaseEnds) {
      this.#leased -= 1;
      // Fetch the next lease before this one is used up, so that requests rarely wait.
      const isLow = this.#leased < this.#wanted >> 2;
      if (isLow && this.#pending === undefined && !this.#shared.isUnavailable()) this.#refill(rate);
      return this.#decision(true, rate);
    }
    const nowUs = nowMs * 1_000;
    if (this.#pending === undefined && waitUs(nowUs, this.#tatUs, rate) > 0) return this.#decision(false, rate);
    return this.#shared.isUnavailable() ? this.#decideAlone(rate) : undefined;
  }

  async #decideLater(rate: Rate): Promise<Decision> {
    this.#waiting += 1;
    try {
      for (;;) {
        await (this.#pending ?? this.#refill(rate));
        const decision = this.#decideNow(rate);
        if (decision !== undefined) return decision;
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  #refill(rate: Rate): Promise<void> {
    this.#pending = this.#fetch(rate).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #fetch(rate: Rate): Promise<void> {
    const startedAt = performance.now();
    const needed = this.#waiting;
    // Lease more if the last lease was used up before it expired.
    if (startedAt < this.#leaseEnds) this.#wanted = Math.min(MAX_LEASE, this.#wanted * 2);
    try {
      const demand = { name: this.name, rate, needed, wanted: Math.max(needed, this.#wanted) };
      const { granted, nowUs, tatUs } = await this.#shared.store.take(demand);
      this.#shared.succeeded();
      this.#tatUs = microseconds() + tatUs - nowUs;
      this.#leased += granted;
      // The waiting requests must be able to use what they were granted, even if the store was
      // slow.
      this.#leaseEnds = Math.max(startedAt + LEASE_MS, performance.now() + WAITERS_MS);
      this.#shared.leased(this);
    } catch (error) {
      this.#shared.failed(error);
    }
  }

  /**
   * Decides without the store: this replica's share of the limit, based on the last known state.
   */
  #decideAlone(rate: Rate): Decision {
    const share = rateOf(Math.max(1, Math.floor(rate.perMinute * this.#shared.fallbackShare)));
    const nowUs = microseconds();
    if (availableAt(nowUs, this.#tatUs, share) === 0) return this.#decision(false, share, rate);
    this.#tatUs = Math.max(this.#tatUs, nowUs) + share.intervalUs;
    return this.#decision(true, share, rate);
  }

  #decision(admitted: boolean, rate: Rate, reported = rate): Decision {
    const nowUs = microseconds();
    const full = Math.max(0, this.#tatUs - nowUs - this.#leased * rate.intervalUs);
    return {
      admitted,
      limit: reported.perMinute,
      remaining: admitted ? Math.min(rate.perMinute, availableAt(nowUs, this.#tatUs, rate) + this.#leased) : 0,
      resetAt: Math.ceil((Date.now() + full / 1_000) / 1_000),
      retryAfter: admitted ? 0 : Math.max(1, Math.ceil((waitUs(nowUs, this.#tatUs, rate) + MARGIN_US) / 1_000_000)),
    };
  }
}
