import type { LoadSummary } from '#load/latency';
import { ms, rate, share, times } from '#report/format';
import { table } from '#report/table';
import type { SearchMeasurement, SearchReport } from '#stages/measure-search';

const HEAD = ['Clients', 'System', 'p50 ms', 'p95 ms', 'p99 ms', 'queries/s', 'requests', 'client CPU ms', 'recall@10'];

/** Renders latency and throughput of each target, and the first as a multiple of each other one. */
export function searchSection({ measurements, recall, agreement }: SearchReport): string {
  const groups = [...Map.groupBy(measurements, ({ clients }) => clients)];
  const rows = groups.flatMap(([clients, group]) => {
    const [first, ...others] = group;
    if (!first) return [];
    return [
      ...group.map((measured) => row(String(clients), measured, share(recall.get(measured.target)))),
      ...others.map((other) => ratioRow(String(clients), first, other)),
    ];
  });
  const notes = [
    ...[...agreement]
      .slice(1)
      .map(
        ([name, same]) =>
          `${percent(same)} of the queries returned the same documents in the same order from the ${name}.`,
      ),
    ...measurements.filter(({ failures }) => failures > 0).map(failureNote),
  ];
  return ['## Search', table(HEAD, rows, 2), ...notes].join('\n\n');
}

function row(clients: string, measured: SearchMeasurement, found: string) {
  const { target, p50Ms, p95Ms, p99Ms, perSecond, requests, clientMs } = measured;
  return [clients, target, ms(p50Ms), ms(p95Ms), ms(p99Ms), rate(perSecond), String(requests), ms(clientMs), found];
}

function ratioRow(clients: string, a: SearchMeasurement, b: LoadSummary & { readonly target: string }) {
  const ratios = [times(a.p50Ms, b.p50Ms), times(a.p95Ms, b.p95Ms), times(a.p99Ms, b.p99Ms)];
  return [clients, `ratio to ${b.target}`, ...ratios, times(a.perSecond, b.perSecond), '', '', ''];
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)}%`;
}

function failureNote({ target, clients, failures, firstFailure }: SearchMeasurement): string {
  return `**${failures} requests failed** (${target}, clients: ${clients}), first with: ${firstFailure ?? ''}`;
}
