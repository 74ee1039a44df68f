import { describe, expect, it } from '@jest/globals';
import { SourceError, type SourceErrorKind } from '@lectern/connectors';
import { AppError } from '@lectern/service-kit';
import { LeaseLost, WorkerStopping } from '../leases/hold-lease.ts';
import { countedMs, gaveUp, type PlanFailure, planFailureOf, waitAfter } from './plan-failure.ts';

const PATIENCE_MS = 120_000;
const of = (kind: SourceErrorKind) => planFailureOf(new SourceError(kind, 'No.'));

/** A source that never comes round: how often it is asked, and how many seconds pass, waits included. */
function asking(error: unknown, { attemptMs, throttledMs = 0 }: { attemptMs: number; throttledMs?: number }) {
  const failure = planFailureOf(error) as Extract<PlanFailure, { kind: 'again' | 'outage' | 'throttled' }>;
  let failingMs = 0;
  let passedMs = 0;
  for (let failures = 1; ; failures += 1) {
    passedMs += attemptMs;
    failingMs += countedMs(attemptMs, PATIENCE_MS);
    const waitMs = waitAfter(failure, { failures, failingMs }, { patienceMs: PATIENCE_MS, throttledMs });
    if (waitMs === undefined) return { attempts: failures, seconds: Math.round(passedMs / 1_000) };
    failingMs += countedMs(waitMs, PATIENCE_MS);
    passedMs += waitMs;
  }
}

describe('a failure while a source is listed', () => {
  it('is final where the source says no, and else tried again', () => {
    for (const kind of ['auth', 'forbidden', 'gone', 'invalid', 'too_large'] as const) {
      expect(of(kind)).toEqual({ kind: 'final', code: kind, message: 'No.' });
    }
    expect(of('transient')).toEqual({ kind: 'again', code: 'transient', message: 'No.' });
    expect(of('rate')).toMatchObject({ kind: 'throttled' });
    expect(planFailureOf(new AppError('invalid_request', 'No.'))).toMatchObject({ kind: 'final' });
    expect(planFailureOf(new AppError('timeout', 'Late.'))).toMatchObject({ kind: 'again', code: 'timeout' });
    expect(planFailureOf(new Error('a secret'))).toMatchObject({ kind: 'again', code: 'internal_error' });
  });

  it('is no failure of the source where this process or another service ends', () => {
    expect(planFailureOf(new LeaseLost('Lost.'))).toEqual({ kind: 'lost' });
    expect(planFailureOf(new WorkerStopping('Stop.'))).toEqual({ kind: 'stop' });
    expect(planFailureOf(new AppError('unavailable', 'Away.'))).toMatchObject({ kind: 'outage' });
  });
});

describe('the patience with a source that fails every time', () => {
  const fault = new SourceError('transient', 'A fault.');
  const tooMany = new SourceError('rate', 'Too many.');

  it('ends after some two minutes of faults, quick ones and ones that hang', () => {
    expect(asking(fault, { attemptMs: 1_500 })).toEqual({ attempts: 10, seconds: 105 });
    expect(asking(fault, { attemptMs: 30_000 })).toEqual({ attempts: 4, seconds: 127 });
  });

  it('keeps to the waits that the source asks for, and ends after as long', () => {
    expect(asking(tooMany, { attemptMs: 1_000, throttledMs: 5_000 })).toEqual({ attempts: 20, seconds: 115 });
    expect(asking(tooMany, { attemptMs: 0, throttledMs: 30_000 })).toEqual({ attempts: 4, seconds: 90 });
  });

  it('lets three long waits pass before it ends', () => {
    expect(asking(tooMany, { attemptMs: 0, throttledMs: 3_600_000 })).toEqual({ attempts: 4, seconds: 10_800 });
  });

  it('is longer with our own services', () => {
    const { seconds } = asking(new AppError('unavailable', 'Away.'), { attemptMs: 500 });
    expect(seconds).toBeGreaterThan(1_000);
    expect(seconds).toBeLessThanOrEqual(1_200);
  });

  it('is told to the admin', () => {
    expect(gaveUp('S3 is ill.', 120_000)).toMatch(/^S3 is ill\. .* for 2 minutes, .* Sync again/);
    expect(gaveUp('S3 is ill.', 1_000)).toMatch(/for 1 seconds/);
  });
});
