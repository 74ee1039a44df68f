import { simulate } from '#autoscale/simulate';
import { SCENARIOS } from '#autoscale/workloads';
import { table } from '#report/table';

const clock = (second: number): string => `${Math.floor(second / 60)}:${String(second % 60).padStart(2, '0')}`;

/** Renders the steps of all scenarios as Markdown for docs/capacity.md. */
export function writeSteps(): string {
  const rows = SCENARIOS.flatMap(({ name, unit, metric, seconds, create }) =>
    simulate(create(), seconds).map((step) => [
      name,
      clock(step.second),
      `${Math.round(step.load)} ${unit}`,
      `${Math.round(step.metric)} ${metric}`,
      `${step.from} → ${step.to}`,
    ]),
  );
  return table(['service, metric', 'at (min)', 'load', 'metric', 'replicas'], rows);
}
