/** A limit's rate: GCRA's emission interval and burst tolerance, in microseconds. */
export interface Rate {
  readonly perMinute: number;
  readonly intervalUs: number;
  /** A whole minute's admissions may come at once. */
  readonly burstUs: number;
}

const MINUTE_US = 60_000_000;

/** The rate of so many requests a minute. Intervals are rounded up, so that no more than that ever pass. */
export function rateOf(perMinute: number): Rate {
  const intervalUs = Math.ceil(MINUTE_US / perMinute);
  return { perMinute, intervalUs, burstUs: intervalUs * perMinute };
}

/**
 * How many admissions a bucket has left: the generic cell rate algorithm (ITU-T I.371) keeps one number, the theoretical arrival time
 * `tat` at which the bucket is full again. All in microseconds.
 */
export function availableAt(nowUs: number, tatUs: number, { intervalUs, burstUs }: Rate): number {
  return Math.max(0, Math.floor((nowUs + burstUs - Math.max(tatUs, nowUs)) / intervalUs));
}

/** Microseconds until there is an admission again; 0 where there is one. */
export function waitUs(nowUs: number, tatUs: number, { intervalUs, burstUs }: Rate): number {
  return Math.max(0, tatUs + intervalUs - burstUs - nowUs);
}

/** A lease is no more than this part of what is left, so that what other replicas are short of stays small. */
export const LEASE_SHARE = 32;

/** How many admissions a call is granted: what is needed at once, and beyond it at most a share of what is left. */
export function grantOf(available: number, needed: number, wanted: number): number {
  return Math.min(available, Math.max(needed, Math.min(wanted, Math.floor(available / LEASE_SHARE))));
}
