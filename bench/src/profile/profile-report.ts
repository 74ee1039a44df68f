import type { LoadSummary } from '#load/latency';
import type { CpuByPart } from '#probes/cpu';
import type { MemoryByPart } from '#probes/memory';
import { table } from '#report/table';

/** What one version needed at one number of clients. */
export interface VersionCost {
  readonly version: string;
  readonly clients: number;
  /** CPU milliseconds per search, by part. */
  readonly cpuMs: CpuByPart;
  readonly load: LoadSummary;
}

/** Parts below this are left out. */
const LEAST_MS = 0.005;

/** Writes the cost of a search by part, one column per version and number of clients, and the memory. */
export function profileReport(
  costs: readonly VersionCost[],
  memory: readonly (readonly [string, MemoryByPart])[],
): string {
  const parts = [...new Set(costs.flatMap(({ cpuMs }) => Object.keys(cpuMs)))].sort();
  const shown = parts.filter((part) => costs.some(({ cpuMs }) => (cpuMs[part] ?? 0) >= LEAST_MS));
  const row = (head: string, value: (cost: VersionCost) => number, digits: number) => [
    head,
    ...costs.map((cost) => value(cost).toFixed(digits)),
  ];
  const cpu = [
    ...shown.map((part) => row(part, ({ cpuMs }) => cpuMs[part] ?? 0, 2)),
    row('**sum**', ({ cpuMs }) => sum(Object.values(cpuMs)), 2),
    row('p50 ms', ({ load }) => load.p50Ms, 1),
    row('searches/s', ({ load }) => load.perSecond, 1),
  ];
  const names = [...new Set(memory.flatMap(([, byPart]) => Object.keys(byPart)))].sort();
  const mib = (value: number) => (value / 2 ** 20).toFixed(0);
  const rows = [
    ...names.map((name) => [name, ...memory.map(([, byPart]) => mib(byPart[name]?.pssBytes ?? 0))]),
    ['**sum**', ...memory.map(([, byPart]) => mib(sum(Object.values(byPart).map(({ pssBytes }) => pssBytes ?? 0))))],
  ];
  return [
    table(['CPU ms per search', ...costs.map(({ version, clients }) => `${version}, clients: ${clients}`)], cpu),
    table(['PSS, MiB', ...memory.map(([version]) => version)], rows),
  ].join('\n\n');
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
