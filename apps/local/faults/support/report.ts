import { appendFileSync } from 'node:fs';
import { FIGURES } from './report-folder.ts';
import type { Outcome } from './requests.ts';

/** What a scene found. */
export interface Figure {
  readonly part: 'matrix' | 'kills' | 'rolling restart';
  readonly scene: string;
  /** How often requests ended how. */
  readonly results: Readonly<Record<string, number>>;
  /** The longest that a request took, in milliseconds, by its kind. */
  readonly slowestMs: Readonly<Record<string, number>>;
  /** Milliseconds until everything worked again. */
  readonly recoveredMs?: number;
  /** What worked last. */
  readonly last?: string;
}

/** Notes a figure for the report and says it at once. */
export function report(figure: Figure): void {
  appendFileSync(FIGURES, `${JSON.stringify(figure)}\n`);
  const results = Object.entries(figure.results).map(([name, count]) => `${count} ${name}`);
  const [slowest] = Object.entries(figure.slowestMs).sort(([, a], [, b]) => b - a);
  const recovered =
    figure.recoveredMs === undefined ? '' : `; works after ${seconds(figure.recoveredMs)}, ${figure.last} last`;
  const slow = slowest === undefined ? '' : `; slowest ${slowest[0]} ${seconds(slowest[1])}`;
  process.stdout.write(`${figure.part}: ${figure.scene}: ${results.join(', ')}${slow}${recovered}\n`);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Counts and slowest of some outcomes. */
export function summarise(outcomes: readonly Outcome[]): Pick<Figure, 'results' | 'slowestMs'> {
  const results: Record<string, number> = {};
  const slowestMs: Record<string, number> = {};
  for (const { kind, result, tookMs } of outcomes) {
    results[result] = (results[result] ?? 0) + 1;
    slowestMs[kind.name] = Math.max(slowestMs[kind.name] ?? 0, Math.round(tookMs));
  }
  return { results, slowestMs };
}
