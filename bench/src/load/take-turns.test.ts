import { describe, expect, it } from '@jest/globals';
import { takeTurns } from '#load/take-turns';

describe('takeTurns', () => {
  it('gives all contenders the same time and reverses their order each round', async () => {
    const order: string[] = [];
    const contender = (name: string) => async (durationMs: number) => {
      order.push(name);
      return { latenciesMs: [durationMs], elapsedMs: durationMs, failures: 0, firstFailure: undefined };
    };
    const results = await takeTurns([contender('a'), contender('b')], 1_000, 4);
    expect(order.join('')).toBe('abbaabba');
    expect(results.map(({ elapsedMs }) => elapsedMs)).toEqual([1_000, 1_000]);
    expect(results.map(({ latenciesMs }) => latenciesMs)).toEqual([
      [250, 250, 250, 250],
      [250, 250, 250, 250],
    ]);
  });
});
