import type { Assumptions, Capacity, Target } from '#capacity/capacity-model';
import type { Costs } from '#capacity/measure-costs';
import { table } from '#report/table';

/** Renders measured costs as Markdown. */
export function writeCosts(costs: readonly Costs[]): string {
  const heads = costs.map(({ passages }) => `${passages} passages`);
  const parts = Object.keys(costs[0]?.queryCpuMs ?? {}).sort();
  const rows = (kind: 'queryCpuMs' | 'documentCpuMs') =>
    parts.map((part) => [part, ...costs.map((one) => (one[kind][part] ?? 0).toFixed(2))]);
  const perPassage = (kind: keyof Costs['bytes']) =>
    costs.map((one) => Math.round(one.bytes[kind] / one.passages).toString());
  return [
    table(['CPU ms per query', ...heads], rows('queryCpuMs')),
    table(['CPU ms per document', ...heads], rows('documentCpuMs')),
    table(
      ['bytes per passage on disk', ...heads],
      [
        ['postgres', ...perPassage('postgres')],
        ['vectors', ...perPassage('vectors')],
      ],
    ),
  ].join('\n\n');
}

const cores = (value: number): string => value.toFixed(1);
const gigabytes = (value: number): string => `${Math.round(value)} GB`;

/** Renders the capacity as Markdown for docs/capacity.md. */
export function writeCapacity(capacity: Capacity, target: Target, { busyShare, vectorCopies }: Assumptions): string {
  const names = [...new Set([...Object.keys(capacity.coresForQueries), ...Object.keys(capacity.coresForIndexing)])];
  const cell = (value: number | undefined) => (value === undefined ? '' : cores(value));
  return [
    table(
      [
        `cores, at ${busyShare * 100}% utilization`,
        `for ${target.queriesPerSecond.toLocaleString('en')} queries/s`,
        `to index ${Math.round(capacity.documents / 1e6)} million documents in ${target.indexingHours} hours`,
      ],
      names.map((name) => [name, cell(capacity.coresForQueries[name]), cell(capacity.coresForIndexing[name])]),
    ),
    table(
      ['storage', `for ${(target.passages / 1e6).toLocaleString('en')} million passages`],
      [
        ['PostgreSQL, on disk', gigabytes(capacity.postgresGigabytes)],
        [`Qdrant, on disk, ${vectorCopies} copies`, gigabytes(capacity.vectorGigabytesOnDisk)],
        [`Qdrant, vectors in memory, ${vectorCopies} copies`, gigabytes(capacity.vectorGigabytesInMemory)],
      ],
    ),
  ].join('\n\n');
}
