import { describe, expect, it } from '@jest/globals';
import { inTurns } from '#sharing/in-turns';

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('inTurns', () => {
  it('returns results in order and yields to other work', async () => {
    let others = 0;
    const timer = setInterval(() => {
      others += 1;
    }, 0);
    const results = await inTurns(
      Array.from({ length: 20 }, (_, at) => at),
      (at) => {
        spin(11);
        return at * 2;
      },
      new AbortController().signal,
    );
    clearInterval(timer);
    expect(results).toEqual(Array.from({ length: 20 }, (_, at) => at * 2));
    expect(others).toBeGreaterThan(5);
  });

  it('stops when the signal is aborted', async () => {
    const signal = AbortSignal.abort(new Error('left'));
    await expect(inTurns([1, 2], () => spin(11), signal)).rejects.toThrow();
  });
});
