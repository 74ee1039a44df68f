/** A straight line through points in time. */
export interface Slope {
  /** The line at the first point. */
  readonly start: number;
  /** Per hour, as a share of `start`: .01 is 1 %/h. */
  readonly perHour: number;
  /** Standard error of `perHour`; NaN for fewer than three points. */
  readonly error: number;
}

const HOUR_MS = 3_600_000;

/**
 * Fits `[ms, value]`, ordered by time, by least squares. The standard error assumes that the
 * residuals are independent.
 */
export function slopeOf(points: readonly (readonly [ms: number, value: number])[]): Slope {
  const count = points.length;
  const first = points[0]?.[0] ?? 0;
  const at = points.map(([ms]) => (ms - first) / HOUR_MS);
  const values = points.map(([, value]) => value);
  const meanAt = sum(at) / count;
  const mean = sum(values) / count;
  const spread = sum(at.map((x) => (x - meanAt) ** 2));
  const slope = sum(at.map((x, index) => (x - meanAt) * ((values[index] ?? 0) - mean))) / spread;
  const start = mean - slope * meanAt;
  const rest = sum(at.map((x, index) => ((values[index] ?? 0) - start - slope * x) ** 2));
  return { start, perHour: slope / start, error: Math.sqrt(rest / (count - 2) / spread) / start };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
