import { ms, rate } from '#report/format';
import { table } from '#report/table';
import type { ScaleMeasurement, ScaleOptions } from '#scale/measure-scale';

/** Returns queries per second with two replicas as a multiple of those with one. */
export function gainOf(measurements: readonly ScaleMeasurement[], service: ScaleMeasurement['service']): number {
  const perSecond = (replicas: number) =>
    measurements.find((one) => one.service === service && one.replicas === replicas)?.perSecond ?? Number.NaN;
  return perSecond(2) / perSecond(1);
}

/** Renders the result as Markdown. */
export function writeScaleReport(measurements: readonly ScaleMeasurement[], { clients, cores }: ScaleOptions): string {
  const rows = measurements.map((one) => [
    one.service,
    String(one.replicas),
    rate(one.perSecond),
    ms(one.p50Ms),
    ms(one.p95Ms),
    String(one.failures),
    one.split
      .map((count) => `${((count / one.split.reduce((sum, other) => sum + other, 0)) * 100).toFixed(1)} %`)
      .join(' / '),
    one.cpuMs.toFixed(2),
  ]);
  const gains = (['search', 'gateway'] as const).map((name) => `${name} ${gainOf(measurements, name).toFixed(2)}×`);
  return [
    `${clients} clients; each replica is limited to ${cores} of a core, everything else is unlimited`,
    table(['service', 'replicas', 'queries/s', 'p50 ms', 'p95 ms', 'failures', 'split', 'CPU ms per query'], rows),
    `Throughput of two replicas as a multiple of one: ${gains.join(', ')}.`,
  ].join('\n\n');
}
