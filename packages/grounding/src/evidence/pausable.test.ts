import { describe, expect, it } from '@jest/globals';
import { type Pausable, runInSlices, runToEnd } from '#evidence/pausable';

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

describe('runToEnd', () => {
  it('returns the result without a pause', () => {
    expect(runToEnd(spin(3, 0))).toBe(3);
  });
});
