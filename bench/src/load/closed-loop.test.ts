import { describe, expect, it } from '@jest/globals';
import { runClosedLoop } from '#load/closed-loop';

const { signal } = new AbortController();
const LONG_MS = 60_000;

describe('runClosedLoop', () => {
  it('sends each request once, in order, with at most the given number of clients', async () => {
    const numbers: number[] = [];
    let busy = 0;
    let most = 0;
    const result = await runClosedLoop({
      clients: 4,
      durationMs: LONG_MS,
      maxRequests: 50,
      signal,
      request: async (number) => {
        numbers.push(number);
        busy += 1;
        most = Math.max(most, busy);
        await new Promise(setImmediate);
        busy -= 1;
      },
    });
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => at));
    expect(most).toBe(4);
    expect(result.latenciesMs).toHaveLength(50);
    expect(result.failures).toBe(0);
  });

  it('ends after the given time', async () => {
    const request = () => new Promise(setImmediate);
    const load = { clients: 2, durationMs: 30, maxRequests: Number.POSITIVE_INFINITY, request, signal };
    const { elapsedMs, latenciesMs } = await runClosedLoop(load);
    expect(elapsedMs).toBeGreaterThanOrEqual(30);
    expect(latenciesMs.length).toBeGreaterThan(0);
  });

  it('counts failures separately and keeps the first error', async () => {
    const request = async (number: number) => {
      if (number % 2 === 1) throw new Error(`failed ${number}`);
    };
    const load = { clients: 1, durationMs: LONG_MS, maxRequests: 10, request, signal };
    const { latenciesMs, failures, firstFailure } = await runClosedLoop(load);
    expect({ succeeded: latenciesMs.length, failures, firstFailure }).toEqual({
      succeeded: 5,
      failures: 5,
      firstFailure: 'failed 1',
    });
  });

  it('rejects with the reason of an interruption', async () => {
    const interruption = new AbortController();
    const request = async () => interruption.abort(new Error('enough'));
    const load = { clients: 3, durationMs: LONG_MS, maxRequests: 1_000, request, signal: interruption.signal };
    await expect(runClosedLoop(load)).rejects.toThrow('enough');
  });
});
