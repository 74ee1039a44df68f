import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { quickRetry } from '#http/quick-retry';
import { SourceError } from '#source-error';

const { signal } = new AbortController();

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('quickRetry', () => {
  const failing = async (tookMs: number, thrown: Error = new SourceError('transient', 'Not now.')) => {
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      await new Promise((resolve) => {
        setTimeout(resolve, tookMs);
      });
      throw thrown;
    };
    const error = quickRetry(signal, attempt).catch((reason: unknown) => reason);
    await jest.advanceTimersByTimeAsync(120_000);
    return { attempts, error: await error };
  };

  it('makes four attempts if they fail quickly', async () => {
    expect(await failing(100)).toMatchObject({ attempts: 4, error: { message: 'Not now.' } });
  });

  it('does not retry after ten seconds', async () => {
    expect(await failing(30_000)).toMatchObject({ attempts: 1 });
    expect(await failing(6_000)).toMatchObject({ attempts: 2 });
  });

  it('does not wait longer than two seconds', async () => {
    const retryAt = new Date(Date.now() + 3_000);
    expect(await failing(100, new SourceError('rate', 'Too fast.', { retryAt }))).toMatchObject({ attempts: 1 });
    expect(await failing(100, new SourceError('rate', 'Too fast.'))).toMatchObject({ attempts: 1 });
  });

  it('does not retry errors that are not retryable', async () => {
    expect(await failing(100, new SourceError('auth', 'No.'))).toMatchObject({ attempts: 1 });
    expect(await failing(100, new Error('Bug.'))).toMatchObject({ attempts: 1, error: { message: 'Bug.' } });
  });
});
