import { type CpuByPart, sharedOver } from '#probes/cpu';
import type { BenchmarkResult } from '#report/benchmark-result';
import { table } from '#report/table';

/** A column of the table: what the CPU time is divided by, and the share of each part. */
type Column = readonly [head: string, parts: CpuByPart];

/** Parts below this are left out. */
const LEAST_MS = 0.005;

/**
 * The CPU time of each part of Lectern: for each query of each target and number of clients, and for
 * each passage that was indexed. Peers are left out: they run in other processes.
 */
export function cpuSection({ search, indexing }: Pick<BenchmarkResult, 'search' | 'indexing'>): string {
  const [first, second] = search.agreement.keys();
  const columns: Column[] = search.measurements
    .filter(({ target }) => target === first || target === second)
    .map(({ target, clients, partsMs }): Column => [`${target}, clients: ${clients}`, partsMs]);
  columns.push(['per passage indexed', sharedOver(indexing.cpuMs, Math.max(1, indexing.passages))]);
  const names = [...new Set(columns.flatMap(([, parts]) => Object.keys(parts)))]
    .filter((name) => columns.some(([, parts]) => (parts[name] ?? 0) >= LEAST_MS))
    .sort();
  const rows = names.map((name) => [name, ...columns.map(([, parts]) => show(parts[name] ?? 0))]);
  const sums = columns.map(([, parts]) => show(Object.values(parts).reduce((sum, ms) => sum + ms, 0)));
  return ['## CPU time', table(['ms', ...columns.map(([head]) => head)], [...rows, ['**sum**', ...sums]])].join('\n\n');
}

const show = (ms: number): string => ms.toFixed(2);
