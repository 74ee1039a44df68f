import { describe, expect, it } from '@jest/globals';
import { costOfRun } from '#pages/agents/cost-of-run.ts';

const prices = [{ model: 'priced', inputPerMillion: 0.4, outputPerMillion: 1.6 }];
const usage = { promptTokens: 500_000, completionTokens: 250_000 };

describe('the cost of a run', () => {
  it('follows from the prices of its model', () => expect(costOfRun(prices, 'priced', usage)).toBeCloseTo(0.6));

  it('is unknown without a price', () => {
    expect(costOfRun(prices, 'other', usage)).toBeUndefined();
    expect(costOfRun(prices, undefined, usage)).toBeUndefined();
  });
});
