import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffMs, type RetryOptions, retry } from '#retry';

const always: RetryOptions = { attempts: 4, minDelayMs: 1, maxDelayMs: 4, shouldRetry: () => true };

/** Fails the given number of times, then returns the number of the attempt. */
function failing(times: number, error: unknown = new Error('busy')) {
  const attempts: number[] = [];
  const work = async (attempt: number): Promise<number> => {
    attempts.push(attempt);
    if (attempt <= times) throw error;
    return attempt;
  };
  return { attempts, work };
}

describe('retry', () => {
  it('returns the result of the first attempt that succeeds', async () => {
    const { attempts, work } = failing(2);
    expect(await retry(work, always)).toBe(3);
    expect(attempts).toEqual([1, 2, 3]);
  });

  it('makes exactly the allowed number of attempts for any waits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 6 }),
        fc.array(fc.option(fc.constant(0), { nil: undefined }), { minLength: 6, maxLength: 6 }),
        async (attempts, failures, delays) => {
          const { attempts: attemptsMade, work } = failing(failures);
          const delayMs = () => delays[attemptsMade.length - 1];
          const result = retry(work, { ...always, minDelayMs: 0, attempts, delayMs }).catch(() => 'failed');
          expect(await result).toBe(failures < attempts ? failures + 1 : 'failed');
          expect(attemptsMade).toHaveLength(Math.min(attempts, failures + 1));
        },
      ),
    );
  });

  it.each([
    ['an error', new Error('busy')],
    ['a TypeError', new TypeError('not a network error')],
    ['a string', 'busy'],
    ['null', null],
  ])('throws %s unchanged after the last attempt', async (_name, error) => {
    const { attempts, work } = failing(9, error);
    const thrown = await retry(work, always).then(
      () => 'nothing',
      (reason: unknown) => reason,
    );
    expect(thrown).toBe(error);
    expect(attempts).toHaveLength(4);
  });

  it('does not retry an error that shouldRetry rejects', async () => {
    const { attempts, work } = failing(9);
    await expect(retry(work, { ...always, shouldRetry: () => false })).rejects.toThrow('busy');
    expect(attempts).toEqual([1]);
  });

  it('waits with exponential backoff and jitter, up to the longest wait', async () => {
    const waits: number[] = [];
    const onRetry: RetryOptions['onRetry'] = ({ delayMs }) => waits.push(delayMs);
    await retry(failing(5).work, { ...always, attempts: 6, minDelayMs: 2, maxDelayMs: 20, onRetry });
    expect(waits).toHaveLength(5);
    for (const [failures, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(Math.min(20, 2 * 2 ** failures));
      expect(wait).toBeLessThanOrEqual(Math.min(20, 4 * 2 ** failures));
    }
  });

  it('prefers the wait that the error requests', async () => {
    const retries: unknown[] = [];
    const startedAt = performance.now();
    await retry(failing(2).work, {
      ...always,
      minDelayMs: 60_000,
      maxDelayMs: 60_000,
      delayMs: () => 15,
      onRetry: ({ attempt, delayMs }) => retries.push([attempt, delayMs]),
    });
    expect(retries).toEqual([
      [1, 15],
      [2, 15],
    ]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(25);
  });

  it.each([
    ['the backoff', undefined],
    ['the requested wait', 60_000],
  ])('throws without waiting if %s would end after the total time', async (_name, delayMs) => {
    const { attempts, work } = failing(9);
    const options = { ...always, minDelayMs: 60_000, maxDelayMs: 60_000, totalMs: 30_000, delayMs: () => delayMs };
    await expect(retry(work, options)).rejects.toThrow('busy');
    expect(attempts).toEqual([1]);
  });

  it.each([
    ['the backoff', undefined],
    ['the requested wait', 60_000],
  ])('stops %s and throws the reason when the signal is aborted', async (_name, delayMs) => {
    const abort = new AbortController();
    const reason = new Error('stopped');
    const running = retry(failing(9).work, {
      ...always,
      minDelayMs: 60_000,
      maxDelayMs: 60_000,
      delayMs: () => delayMs,
      signal: abort.signal,
      onRetry: () => setTimeout(() => abort.abort(reason), 1),
    });
    await expect(running).rejects.toBe(reason);
  });

  it('does not start if the signal is already aborted', async () => {
    const { attempts, work } = failing(0);
    await expect(retry(work, { ...always, signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow(
      'stopped',
    );
    expect(attempts).toEqual([]);
  });
});

describe('backoffMs', () => {
  it('doubles from the first wait to the longest', () => {
    const limits = { minDelayMs: 10, maxDelayMs: 50 };
    expect([0, 1, 2, 3, 4, 2_000].map((failures) => backoffMs(failures, limits))).toEqual([10, 10, 20, 40, 50, 50]);
  });
});
