import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createPace } from '#pace';

const { signal } = new AbortController();

describe('createPace', () => {
  it('never lets more units start than the rate allows, after pauses too', async () => {
    const steps = fc.array(fc.record({ pauseMs: fc.nat(5_000), units: fc.integer({ min: 1, max: 500 }) }), {
      minLength: 2,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 1_000 }), async (work, perSecond) => {
        let clock = 0;
        const wait = async (ms: number) => {
          clock += ms;
        };
        const pace = createPace({ perSecond, now: () => clock, wait });
        const starts: { at: number; units: number }[] = [];
        for (const { pauseMs, units } of work) {
          clock += pauseMs;
          await pace(units, signal);
          starts.push({ at: clock, units });
        }
        for (const [index, { at }] of starts.entries()) {
          const previous = starts[index - 1];
          if (previous) expect(at - previous.at).toBeGreaterThanOrEqual((previous.units / perSecond) * 1000 - 1e-6);
        }
      }),
    );
  });

  it('starts the first work at once', async () => {
    const pace = createPace({ perSecond: 1, now: () => 0, wait: () => Promise.reject(new Error('waited')) });
    await pace(1_000, signal);
  });

  it('stops waiting when it is aborted', async () => {
    const stop = new AbortController();
    const pace = createPace({ perSecond: 0.001 });
    await pace(1, stop.signal);
    const waiting = pace(1, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow();
    await expect(pace(1, stop.signal)).rejects.toThrow('stopped');
  });
});
