import { describe, expect, it } from '@jest/globals';
import type { ScaleMeasurement } from '#scale/measure-scale';
import { gainOf, writeScaleReport } from '#scale/report';

const one = (service: 'search' | 'gateway', replicas: number, perSecond: number): ScaleMeasurement => ({
  service,
  replicas,
  perSecond,
  p50Ms: 10,
  p95Ms: 20,
  p99Ms: 30,
  requests: 100,
  failures: 0,
  firstFailure: undefined,
  split: replicas === 1 ? [100] : [51, 49],
  cpuMs: 3.456,
});
const measured = [one('search', 1, 50), one('search', 2, 90), one('gateway', 1, 100), one('gateway', 2, 200)];

describe('writeScaleReport', () => {
  it('shows the gain of a second replica', () => {
    expect(gainOf(measured, 'search')).toBeCloseTo(1.8);
    expect(gainOf(measured, 'gateway')).toBeCloseTo(2);
  });

  it('shows how requests were split', () => {
    const report = writeScaleReport(measured, { documents: 10, clients: 4, seconds: 1, cores: 0.2 });
    expect(report).toContain('51.0 % / 49.0 %');
    expect(report).toContain('search 1.80×, gateway 2.00×');
  });
});
