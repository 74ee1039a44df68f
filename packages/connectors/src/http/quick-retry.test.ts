import { describe, expect, it } from '@jest/globals';
import { SourceError } from '../source-error.ts';
import { quickRetry } from './quick-retry.ts';

const { signal } = new AbortController();

describe('a quick retry', () => {
  const failing = (tookMs: number) => {
    let attempts = 0;
    let clock = 0;
    const attempt = async () => {
      attempts += 1;
      clock += tookMs;
      throw new SourceError('transient', 'Not now.');
    };
    const done = quickRetry(signal, attempt, () => clock).catch((error: unknown) => error);
    return done.then((error) => ({ attempts, error }));
  };

  it('is made of what fails quickly, four times in all', async () => {
    expect(await failing(100)).toMatchObject({ attempts: 4, error: { message: 'Not now.' } });
  });

  it('is not made of a source that took long to fail', async () => {
    expect(await failing(30_000)).toMatchObject({ attempts: 1 });
    expect(await failing(6_000)).toMatchObject({ attempts: 2 });
  });
});
