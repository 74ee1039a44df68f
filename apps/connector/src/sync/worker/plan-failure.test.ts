import { describe, expect, it } from '@jest/globals';
import { SourceError, type SourceErrorKind } from '@lectern/connectors';
import { LeaseLost, WorkerStopping } from '@lectern/resilience';
import { AppError } from '@lectern/service-kit';
import { classifyPlanError, countedMs, gaveUpMessage, type PlanFailure, retryDelayMs } from '#sync/worker/plan-failure';

const RETRY_FOR_MS = 120_000;
const classify = (kind: SourceErrorKind) => classifyPlanError(new SourceError(kind, 'No.'));

/**
 * Simulates a source that always fails. Returns the attempts and the seconds until the job fails.
 */
function retryUntilFailed(error: unknown, { attemptMs, throttledMs = 0 }: { attemptMs: number; throttledMs?: number }) {
  const failure = classifyPlanError(error) as Extract<PlanFailure, { kind: 'retry' | 'outage' | 'throttled' }>;
  let failingMs = 0;
  let passedMs = 0;
  for (let failures = 1; ; failures += 1) {
    passedMs += attemptMs;
    failingMs += countedMs(attemptMs, RETRY_FOR_MS);
    const waitMs = retryDelayMs(failure, { failures, failingMs }, { retryForMs: RETRY_FOR_MS, throttledMs });
    if (waitMs === undefined) return { attempts: failures, seconds: Math.round(passedMs / 1_000) };
    failingMs += countedMs(waitMs, RETRY_FOR_MS);
    passedMs += waitMs;
  }
}

describe('classifyPlanError', () => {
  it('fails the job for a permanent error of the source and retries others', () => {
    for (const kind of ['auth', 'forbidden', 'gone', 'invalid', 'too_large'] as const) {
      expect(classify(kind)).toEqual({ kind: 'final', code: kind, message: 'No.' });
    }
    expect(classify('transient')).toEqual({ kind: 'retry', code: 'transient', message: 'No.' });
    expect(classify('rate')).toMatchObject({ kind: 'throttled' });
    expect(classifyPlanError(new AppError('invalid_request', 'No.'))).toMatchObject({ kind: 'final' });
    expect(classifyPlanError(new AppError('timeout', 'Late.'))).toMatchObject({ kind: 'retry', code: 'timeout' });
    expect(classifyPlanError(new Error('a secret'))).toMatchObject({ kind: 'retry', code: 'internal_error' });
  });

  it('does not report an error of the source if this process or another service stops', () => {
    expect(classifyPlanError(new LeaseLost('Lost.'))).toEqual({ kind: 'lost' });
    expect(classifyPlanError(new WorkerStopping('Stop.'))).toEqual({ kind: 'stop' });
    expect(classifyPlanError(new AppError('unavailable', 'Down.'))).toMatchObject({ kind: 'outage' });
  });
});

describe('retryDelayMs', () => {
  const fault = new SourceError('transient', 'A fault.');
  const tooMany = new SourceError('rate', 'Too many.');

  it('gives up after about two minutes of failures, fast or slow', () => {
    expect(retryUntilFailed(fault, { attemptMs: 1_500 })).toEqual({ attempts: 10, seconds: 105 });
    expect(retryUntilFailed(fault, { attemptMs: 30_000 })).toEqual({ attempts: 4, seconds: 127 });
  });

  it('respects the waits that the source requests and gives up after the same time', () => {
    expect(retryUntilFailed(tooMany, { attemptMs: 1_000, throttledMs: 5_000 })).toEqual({ attempts: 20, seconds: 115 });
    expect(retryUntilFailed(tooMany, { attemptMs: 0, throttledMs: 30_000 })).toEqual({ attempts: 4, seconds: 90 });
  });

  it('allows three long waits', () => {
    expect(retryUntilFailed(tooMany, { attemptMs: 0, throttledMs: 3_600_000 })).toEqual({
      attempts: 4,
      seconds: 10_800,
    });
  });

  it('retries outages of other Lectern services for longer', () => {
    const { seconds } = retryUntilFailed(new AppError('unavailable', 'Down.'), { attemptMs: 500 });
    expect(seconds).toBeGreaterThan(1_000);
    expect(seconds).toBeLessThanOrEqual(1_200);
  });
});

describe('gaveUpMessage', () => {
  it('includes how long the source was retried', () => {
    expect(gaveUpMessage('S3 fails.', 120_000)).toMatch(/^S3 fails\. .* after 2 minutes .* Sync again/);
    expect(gaveUpMessage('S3 fails.', 1_000)).toMatch(/after 1 second of retries/);
  });
});
