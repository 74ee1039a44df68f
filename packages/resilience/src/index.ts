export { failureReason, orAborted } from './aborted.ts';
export { type Cache, type CacheOptions, createCache } from './cache.ts';
export {
  type HeldLease,
  holdLease,
  LeaseLost,
  type LeaseOptions,
  renewTogether,
  type SharedRenewalOptions,
  WorkerStopping,
} from './lease.ts';
export { backoffMs, type RetryOptions, retry } from './retry.ts';
export { retryAfterMs } from './retry-after.ts';
export { mapInSlices, type Pausable, runInSlices, runToEnd } from './slices.ts';
