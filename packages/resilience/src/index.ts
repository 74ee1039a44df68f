export { failureReason, orAborted } from '#aborted';
export { type ByteBudget, createByteBudget } from '#byte-budget';
export { type Cache, type CacheOptions, createCache } from '#cache';
export {
  type HeldLease,
  holdLease,
  LeaseLost,
  type LeaseOptions,
  renewTogether,
  type SharedRenewalOptions,
  WorkerStopping,
} from '#lease';
export { createMemo, type Memo } from '#memo';
export { createPace, type PaceOptions } from '#pace';
export { backoffMs, type RetryOptions, retry } from '#retry';
export { retryAfterMs } from '#retry-after';
export { mapInSlices, type Pausable, runInSlices, runToEnd } from '#slices';
