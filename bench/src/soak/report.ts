import { percentile } from '#load/latency';
import type { Done } from '#load/open-loop';
import { mebibytes, ms } from '#report/format';
import { table } from '#report/table';
import { type RestPoint, restartedParts } from '#soak/rest-point';
import type { SoakResult } from '#soak/run-soak';
import { slopeOf } from '#soak/slope';

const WINDOW_MS = 300_000;

/** Renders a soak test as Markdown. */
export function writeSoakReport(result: SoakResult): string {
  const { environment, warmUp, done, minutes, warmUpMinutes, warmUpFactor, documents, rates } = result;
  const { takenAt, commit, node, platform, cpu, cores, loadBefore } = environment;
  const restarted = restartedParts([...result.restsOfWarmUp, ...result.rests.slice(1)]);
  const load = rates.map(({ name, perSecond }) => `${name} ${perText(perSecond)}`).join(', ');
  const sections = [
    '# Soak',
    [
      `- Taken ${takenAt.toISOString().slice(0, 16)}Z${commit === undefined ? '' : ` at commit ${commit}`}`,
      `- Node ${node}, ${platform}, ${cores} × ${cpu}; load average before: ${loadBefore.toFixed(2)}`,
      `- ${documents} synthetic documents; warm-up of ${warmUpMinutes} minutes with ${warmUpFactor} times the load, then ${Number(minutes.toFixed(1))} minutes of: ${load}`,
      `- ${warmUp.length + done.length} operations; failed: ${failures(warmUp)} in the warm-up, ${failures(done)} in the soak${firstFailure(done)}`,
      ...(restarted.length === 0
        ? []
        : [`- **Restarted during the run, so without a meaningful slope: ${restarted.join(', ')}**`]),
    ].join('\n'),
    '## Latency\n\np50 / p99 in milliseconds by five minutes, from the scheduled start of an operation to its end (of a stream: its last event; of an upload and a sync: the job).',
    latencyTable(result),
    '## Memory\n\nMeasured at rest points, at which no request is sent for some seconds. *Resident*: PSS of a part with the processes it started, before the forced collection. *Live*: heap and buffers outside of it after a forced collection (by the inspector). Slopes by least squares over the rest points of the soak, with standard errors.',
    memoryTable(result.rests),
    `Live memory of all services over the run, MiB, warm-up first: ${[...result.restsOfWarmUp, ...result.rests.slice(1)].map(({ live }) => (total(live) / 2 ** 20).toFixed(1)).join(', ')}.`,
  ];
  return `${sections.join('\n\n')}\n`;
}

const perText = (perSecond: number) => (perSecond < 0.1 ? `${Math.round(perSecond * 60)}/min` : `${perSecond}/s`);
const failures = (done: readonly Done[]) => done.filter(({ failure }) => failure !== undefined).length;
const firstFailure = (done: readonly Done[]) => {
  const first = done.find(({ failure }) => failure !== undefined);
  return first === undefined ? '' : ` (the first: ${first.name}: ${first.failure})`;
};
const total = (parts: Readonly<Record<string, number>>) => Object.values(parts).reduce((sum, bytes) => sum + bytes, 0);

function latencyTable({ done, startedAt, rates, minutes }: SoakResult): string {
  const windows = Array.from({ length: Math.ceil((minutes * 60_000) / WINDOW_MS) }, (_, at) => at);
  // Rest points extend the run beyond its minutes of load. Results after the last complete window
  // count as part of it.
  const windowOf = ({ at }: Done) => Math.min(windows.length - 1, Math.floor((at - startedAt) / WINDOW_MS));
  const cell = (of: readonly Done[]) => {
    const times = of.filter(({ failure }) => failure === undefined).map(({ ms: took }) => took);
    return times.length === 0 ? '–' : `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.99))}`;
  };
  const rows = rates.map(({ name }) => {
    const of = done.filter((one) => one.name === name);
    const cells = windows.map((window) => cell(of.filter((one) => windowOf(one) === window)));
    return [name, String(of.length), ...cells, cell(of)];
  });
  return table(['', 'done', ...windows.map((window) => `from ${window * 5} min`), 'all'], rows);
}

function memoryTable(rests: readonly RestPoint[]): string {
  const names = Object.keys(rests[0]?.resident ?? {}).sort();
  const columns = (read: (rest: RestPoint) => number | undefined): string[] => {
    const points = rests.flatMap((rest) => {
      const value = read(rest);
      return value === undefined ? [] : [[rest.at, value] as const];
    });
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) return ['–', '–', '–'];
    const { perHour, error } = slopeOf(points);
    const percent = (share: number) => (share * 100).toFixed(1);
    return [mebibytes(first[1]), mebibytes(last[1]), `${percent(perHour)} ± ${percent(error)}`];
  };
  const row = (name: string, resident: (rest: RestPoint) => number | undefined, live: typeof resident) => [
    name,
    ...columns(resident),
    ...columns(live),
  ];
  return table(
    ['MiB', 'resident: first', 'last', '%/h', 'live: first', 'last', '%/h'],
    [
      ...names.map((name) =>
        row(
          name,
          ({ resident }) => resident[name],
          ({ live }) => live[name],
        ),
      ),
      row(
        '**sum**',
        ({ resident }) => total(resident),
        ({ live }) => total(live),
      ),
    ],
  );
}
