/** Buckets a doubling: a percentile is off by at most 19 %, and read between the bounds typically by far less. */
const PER_DOUBLING = 4;
/** The last bound is 2^18 ms, about four minutes: longer than any deadline but a stream's. */
const DOUBLINGS = 18;

const BOUNDS = DOUBLINGS * PER_DOUBLING;

/** How many counts a histogram has: one up to each bound, and one beyond the last. Stored with each row, so it may never change. */
export const BUCKETS = BOUNDS + 1;

/** The upper bound of a bucket in milliseconds; the first is 2^(1/4). */
const boundMs = (bucket: number) => 2 ** ((bucket + 1) / PER_DOUBLING);

/** The bucket that a duration falls into. */
export function bucketOf(durationMs: number): number {
  const bucket = Math.ceil(Math.log2(Math.max(durationMs, 1)) * PER_DOUBLING) - 1;
  return Math.min(Math.max(bucket, 0), BOUNDS);
}

/**
 * The duration in milliseconds that the given share of requests does not exceed, read between a bucket's bounds as if its requests were
 * spread evenly in it; null where there were none.
 */
export function percentileMs(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let before = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && before + count >= wanted) {
      const upper = boundMs(Math.min(bucket, BOUNDS - 1));
      const lower = bucket === 0 ? 0 : boundMs(Math.min(bucket, BOUNDS) - 1);
      return Math.round((lower + ((wanted - before) / count) * (upper - lower)) * 10) / 10;
    }
    before += count;
  }
  return null;
}
