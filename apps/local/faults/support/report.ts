import { appendFileSync } from 'node:fs';
import { MEASUREMENTS } from './report-folder.ts';
import type { Outcome } from './requests.ts';

/** The results of a scenario. */
export interface Measurement {
  readonly part: 'matrix' | 'kills' | 'rolling restart' | 'failover';
  readonly scenario: string;
  /** The number of requests by result. */
  readonly results: Readonly<Record<string, number>>;
  /** The slowest request by kind, in milliseconds. */
  readonly slowestMs: Readonly<Record<string, number>>;
  /** Milliseconds until everything works again. */
  readonly recoveredMs?: number;
  /** The kind that recovered last. */
  readonly last?: string;
}

/** Adds a measurement to the report, and prints it. */
export function report(measurement: Measurement): void {
  appendFileSync(MEASUREMENTS, `${JSON.stringify(measurement)}\n`);
  const results = Object.entries(measurement.results).map(([name, count]) => `${count} ${name}`);
  const [slowest] = Object.entries(measurement.slowestMs).sort(([, a], [, b]) => b - a);
  const recovered =
    measurement.recoveredMs === undefined
      ? ''
      : `; works after ${seconds(measurement.recoveredMs)}, ${measurement.last} last`;
  const slow = slowest === undefined ? '' : `; slowest ${slowest[0]} ${seconds(slowest[1])}`;
  process.stdout.write(`${measurement.part}: ${measurement.scenario}: ${results.join(', ')}${slow}${recovered}\n`);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Aggregates outcomes. */
export function summarize(outcomes: readonly Outcome[]): Pick<Measurement, 'results' | 'slowestMs'> {
  const results: Record<string, number> = {};
  const slowestMs: Record<string, number> = {};
  for (const { kind, result, tookMs } of outcomes) {
    results[result] = (results[result] ?? 0) + 1;
    slowestMs[kind.name] = Math.max(slowestMs[kind.name] ?? 0, Math.round(tookMs));
  }
  return { results, slowestMs };
}
