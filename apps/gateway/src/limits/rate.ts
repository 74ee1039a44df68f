/** A limit's rate: GCRA's emission interval and burst tolerance, in microseconds. */
export interface Rate {
  readonly perMinute: number;
  readonly intervalUs: number;
  /** All requests of a minute can arrive at the same time. */
  readonly burstUs: number;
}

const MINUTE_US = 60_000_000;

/**
 * Returns the rate for a limit per minute. The interval is rounded up, so that the limit is never
 * exceeded.
 */
export function rateOf(perMinute: number): Rate {
  const intervalUs = Math.ceil(MINUTE_US / perMinute);
  return { perMinute, intervalUs, burstUs: intervalUs * perMinute };
}

/**
 * Returns the remaining admissions of a bucket with the generic cell rate algorithm (ITU-T I.371).
 * Its state is one number: the theoretical arrival time `tat` at which the bucket is full. All in
 * microseconds.
 */
export function availableAt(nowUs: number, tatUs: number, { intervalUs, burstUs }: Rate): number {
  return Math.max(0, Math.floor((nowUs + burstUs - Math.max(tatUs, nowUs)) / intervalUs));
}

/** Microseconds until the next admission; 0 if there is one now. */
export function waitUs(nowUs: number, tatUs: number, { intervalUs, burstUs }: Rate): number {
  return Math.max(0, tatUs + intervalUs - burstUs - nowUs);
}

/** The largest share of the remaining admissions that one replica leases. */
export const LEASE_SHARE = 32;

/** Returns the admissions to grant: what is needed now, and at most a share of the rest. */
export function grantOf(available: number, needed: number, wanted: number): number {
  return Math.min(available, Math.max(needed, Math.min(wanted, Math.floor(available / LEASE_SHARE))));
}
