/** The smallest value that at least `share` (0 to 1) of all values do not exceed: the nearest-rank percentile. NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** What a load showed. */
export interface LoadResult {
  /** Of each request that succeeded, in milliseconds. */
  readonly latenciesMs: readonly number[];
  readonly elapsedMs: number;
  readonly failures: number;
  /** Why the first of them failed. */
  readonly firstFailure: string | undefined;
}

/** Several loads of the same kind as one. */
export function joinLoads(loads: readonly LoadResult[]): LoadResult {
  return {
    latenciesMs: loads.flatMap(({ latenciesMs }) => latenciesMs),
    elapsedMs: loads.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
    failures: loads.reduce((sum, { failures }) => sum + failures, 0),
    firstFailure: loads.find(({ firstFailure }) => firstFailure !== undefined)?.firstFailure,
  };
}

/** A load in figures. */
export interface LoadSummary {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Requests that succeeded, per second. */
  readonly perSecond: number;
  readonly requests: number;
  readonly failures: number;
  readonly firstFailure: string | undefined;
}

/** The figures of a load. */
export function summarise({ latenciesMs, elapsedMs, failures, firstFailure }: LoadResult): LoadSummary {
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
