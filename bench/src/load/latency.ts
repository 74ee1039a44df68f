/**
 * Returns the nearest-rank percentile: the smallest value that at least `share` (0 to 1) of the
 * values do not exceed. NaN without values.
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The result of a load. */
export interface LoadResult {
  /** The latency of each successful request, in milliseconds. */
  readonly latenciesMs: readonly number[];
  readonly elapsedMs: number;
  readonly failures: number;
  /** The first error. */
  readonly firstFailure: string | undefined;
}

/** Combines several loads of the same kind. */
export function joinLoads(loads: readonly LoadResult[]): LoadResult {
  return {
    latenciesMs: loads.flatMap(({ latenciesMs }) => latenciesMs),
    elapsedMs: loads.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
    failures: loads.reduce((sum, { failures }) => sum + failures, 0),
    firstFailure: loads.find(({ firstFailure }) => firstFailure !== undefined)?.firstFailure,
  };
}

/** Statistics of a load. */
export interface LoadSummary {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Successful requests per second. */
  readonly perSecond: number;
  readonly requests: number;
  readonly failures: number;
  readonly firstFailure: string | undefined;
}

/** Calculates the statistics of a load. */
export function summarize({ latenciesMs, elapsedMs, failures, firstFailure }: LoadResult): LoadSummary {
  return {
    p50Ms: percentile(latenciesMs, 0.5),
    p95Ms: percentile(latenciesMs, 0.95),
    p99Ms: percentile(latenciesMs, 0.99),
    perSecond: (latenciesMs.length * 1000) / elapsedMs,
    requests: latenciesMs.length,
    failures,
    firstFailure,
  };
}
