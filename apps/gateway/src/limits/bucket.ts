import type { BucketStore } from '#limits/bucket-store';
import type { Decision } from '#limits/limiter';
import { availableAt, type Rate, rateOf, waitUs } from '#limits/rate';

/**
 * Admissions that were leased are used within this time or given back. They are counted when they are leased, so a minute can hold no
 * more of them than 60.5 s do: 0.9% above the limit.
 */
const LEASE_MS = 500;
/** Admissions granted to waiting requests stay valid for this long, however late they arrive. */
const WAITERS_MS = 50;
const MAX_LEASE = 256;
/** Retry-After is rounded up with this to spare: clocks and timers of clients are not exact. */
const MARGIN_US = 50_000;

/** What the buckets of a process have in common. */
export interface SharedState {
  readonly store: BucketStore;
  readonly fallbackShare: number;
  /** True while the store is not to be asked. */
  isAway(): boolean;
  failed(error: unknown): void;
  answered(): void;
  /** Called when the bucket has a lease, which it may have to return. */
  holdsLease(bucket: Bucket): void;
}

const microseconds = () => performance.now() * 1_000;

/** One limit in this process: a lease of admissions, and the last known state of the bucket. */
export class Bucket {
  readonly name: string;
  readonly #shared: SharedState;
  #rate: Rate | undefined;
  /** Admissions of the lease that are left, and until when they may be used (monotonic milliseconds). */
  #leased = 0;
  #leaseEnds = 0;
  #usedAt = 0;
  /** How large the next lease is to be, by how fast the last ones were used. */
  #wanted = 1;
  /** The bucket's theoretical arrival time on this process's monotonic clock, in microseconds. */
  #tatUs = 0;
  #waiting = 0;
  #pending: Promise<void> | undefined;

  constructor(name: string, shared: SharedState) {
    this.name = name;
    this.#shared = shared;
  }

  /** Admits or refuses a request: at once from the lease, or where the bucket is known to be empty. */
  take(rate: Rate): Decision | Promise<Decision> {
    if (this.#rate?.perMinute !== rate.perMinute) this.#leased = 0;
    this.#rate = rate;
    return this.#now(rate) ?? this.#ask(rate);
  }

  /** Ends a lease that was not used in time. Answers the microseconds to give back. */
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

  /** Returns whether nothing is leased and no request came for this long. */
  isIdle(nowMs: number, idleMs: number): boolean {
    return this.#leased === 0 && this.#waiting === 0 && nowMs - this.#usedAt > idleMs;
  }

  #now(rate: Rate): Decision | undefined {
    const nowMs = performance.now();
    this.#usedAt = nowMs;
    if (this.#leased > 0 && nowMs < this.#leaseEnds) {
      this.#leased -= 1;
      // The next lease is fetched while this one lasts, so that requests seldom wait.
      if (this.#leased < this.#wanted >> 2 && this.#pending === undefined && !this.#shared.isAway()) this.#refill(rate);
      return this.#decision(true, rate);
    }
    const nowUs = nowMs * 1_000;
    if (this.#pending === undefined && waitUs(nowUs, this.#tatUs, rate) > 0) return this.#decision(false, rate);
    return this.#shared.isAway() ? this.#alone(rate) : undefined;
  }

  async #ask(rate: Rate): Promise<Decision> {
    this.#waiting += 1;
    try {
      for (;;) {
        await (this.#pending ?? this.#refill(rate));
        const decision = this.#now(rate);
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
    const askedAt = performance.now();
    const needed = this.#waiting;
    // Larger where the last lease did not last its time.
    if (askedAt < this.#leaseEnds) this.#wanted = Math.min(MAX_LEASE, this.#wanted * 2);
    try {
      const demand = { name: this.name, rate, needed, wanted: Math.max(needed, this.#wanted) };
      const { granted, nowUs, tatUs } = await this.#shared.store.take(demand);
      this.#shared.answered();
      this.#tatUs = microseconds() + tatUs - nowUs;
      this.#leased += granted;
      // From a slow store too: those who wait for it must find what they were granted.
      this.#leaseEnds = Math.max(askedAt + LEASE_MS, performance.now() + WAITERS_MS);
      this.#shared.holdsLease(this);
    } catch (error) {
      this.#shared.failed(error);
    }
  }

  /** Decides without the store: this replica's share of the limit, based on the last known state. */
  #alone(rate: Rate): Decision {
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
