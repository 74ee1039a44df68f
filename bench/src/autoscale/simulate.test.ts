import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { writeSteps } from '#autoscale/report';
import { simulate } from '#autoscale/simulate';
import { SCENARIOS } from '#autoscale/workloads';

const scaler = { minReplicas: 2, maxReplicas: 10, target: 10 };
const perReplica = (load: number, ready: number) => load / ready;

describe('simulate', () => {
  it('changes nothing while the metric is near the target', () => {
    expect(simulate({ scaler, load: () => 21, advance: perReplica }, 3_600)).toEqual([]);
  });

  it('adds replicas for a higher load at the next check, and removes them five minutes after it', () => {
    const load = (second: number) => (second < 600 ? 50 : 10);
    const steps = simulate({ scaler, load, advance: perReplica }, 3_600);
    expect(steps.map(({ from, to }) => [from, to])).toEqual([
      [2, 5],
      [5, 2],
    ]);
    expect(steps[0]?.second).toBe(15);
    expect(steps[1]?.second).toBeGreaterThanOrEqual(900);
  });

  it('stays within the bounds', () => {
    const load = (second: number) => (second % 2_000 < 1_000 ? 1e6 : 0);
    for (const { to } of simulate({ scaler, load, advance: perReplica }, 10_000)) {
      expect(to).toBeGreaterThanOrEqual(2);
      expect(to).toBeLessThanOrEqual(10);
    }
  });

  it('reaches the bounds of each scenario and returns to them', () => {
    for (const { create, seconds } of SCENARIOS) {
      const steps = simulate(create(), seconds);
      expect(steps.at(-1)?.to).toBe(2);
      expect(Math.max(...steps.map(({ to }) => to))).toBeGreaterThan(5);
    }
  });
});

describe('docs/capacity.md', () => {
  it('contains the steps of the simulation', () => {
    const text = readFileSync(fileURLToPath(new URL('../../../docs/capacity.md', import.meta.url)), 'utf8');
    expect(text).toContain(writeSteps());
  });
});
