/**
 * Buckets per doubling of the duration. A percentile is off by at most 19%, typically by far less.
 */
const PER_DOUBLING = 4;
/**
 * The last bound is 2^18 ms, about four minutes: longer than any deadline except that of a stream.
 */
const DOUBLINGS = 18;

const BOUNDS = DOUBLINGS * PER_DOUBLING;

/**
 * The number of counts in a histogram: one per bound, and one beyond the last. Stored rows have it,
 * so it must not change.
 */
export const BUCKETS = BOUNDS + 1;

/** The upper bound of a bucket in milliseconds; the first is 2^(1/4). */
const boundMs = (bucket: number) => 2 ** ((bucket + 1) / PER_DOUBLING);

/** Returns the bucket of a duration. */
export function bucketOf(durationMs: number): number {
  const bucket = Math.ceil(Math.log2(Math.max(durationMs, 1)) * PER_DOUBLING) - 1;
  return Math.min(Math.max(bucket, 0), BOUNDS);
}

/**
 * Estimates the duration in milliseconds that the given share of requests does not exceed, by
 * linear interpolation within a bucket. Returns null without requests.
 */
export function percentileMs(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * total;
  let before = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const upper = boundMs(Math.min(bucket, BOUNDS - 1));
      const lower = bucket === 0 ? 0 : boundMs(Math.min(bucket, BOUNDS) - 1);
      return Math.round((lower + ((rank - before) / count) * (upper - lower)) * 10) / 10;
    }
    before += count;
  }
  return null;
}
