import { describe, expect, it } from '@jest/globals';
import { mapInSlices, type Pausable, runInSlices, runToEnd } from '#slices';

function* spin(steps: number, stepMs: number): Pausable<number> {
  for (let step = 0; step < steps; step += 1) {
    const end = performance.now() + stepMs;
    while (performance.now() < end);
    yield;
  }
  return steps;
}

describe('runInSlices', () => {
  it('lets other work run between slices', async () => {
    let others = 0;
    const timer = setInterval(() => {
      others += 1;
    }, 0);
    expect(await runInSlices(spin(10, 10))).toBe(10);
    clearInterval(timer);
    expect(others).toBeGreaterThan(3);
  });

  it('rejects with the error of the computation', async () => {
    const failing = (function* (): Pausable<void> {
      yield;
      throw new Error('broken');
    })();
    await expect(runInSlices(failing)).rejects.toThrow('broken');
  });
});

describe('mapInSlices', () => {
  const block = (ms: number) => runToEnd(spin(1, ms));

  it('returns results in order and lets other work run', async () => {
    let others = 0;
    const timer = setInterval(() => {
      others += 1;
    }, 0);
    const items = Array.from({ length: 20 }, (_, at) => at);
    const results = await mapInSlices(items, (at) => {
      block(11);
      return at * 2;
    });
    clearInterval(timer);
    expect(results).toEqual(items.map((at) => at * 2));
    expect(others).toBeGreaterThan(5);
  });

  it('stops when the signal is aborted', async () => {
    const signal = AbortSignal.abort(new Error('left'));
    await expect(mapInSlices([1, 2], () => block(11), signal)).rejects.toThrow('left');
  });
});

describe('runToEnd', () => {
  it('returns the result without a pause', () => {
    expect(runToEnd(spin(3, 0))).toBe(3);
  });
});
