export { failureReason, orAborted } from '#aborted';
export { type Cache, type CacheOptions, createCache } from '#cache';
export { type HeldLease, holdLease, LeaseLost, type LeaseOptions, WorkerStopping } from '#lease';
export { backoffMs, type RetryOptions, retry } from '#retry';
export { retryAfterMs } from '#retry-after';
