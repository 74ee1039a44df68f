import { describe, expect, it } from '@jest/globals';
import { ANTHROPIC_MODELS } from '#anthropic/known-models';
import { OPENAI_MODELS } from '#openai/known-models';
import { costOf } from '#registry/prices';

const MILLION = { promptTokens: 1_000_000, completionTokens: 1_000_000 };

describe('costOf', () => {
  it('is the price of a million tokens each way, and undefined for a model without a price', () => {
    expect(costOf('claude-sonnet-5-5', MILLION)).toBeCloseTo(12);
    expect(costOf('llama-self-hosted', MILLION)).toBeUndefined();
    expect(costOf('builtin-extractive', MILLION)).toBeUndefined();
  });

  it('applies the cache prices to cached tokens', () => {
    const usage = { promptTokens: 10_000, completionTokens: 0 };
    expect(costOf('claude-opus-5', usage, { written: 2_000, read: 6_000 })).toBeCloseTo(
      (2_000 * 5 + 2_000 * 6.25 + 6_000 * 0.5) / 1e6,
    );
  });

  it('applies higher prices to long prompts', () => {
    const short = costOf('claude-haiku-5-5', { promptTokens: 100_000, completionTokens: 1_000 }) ?? 0;
    const long = costOf('claude-haiku-5-5', { promptTokens: 100_001, completionTokens: 1_000 }) ?? 0;
    expect(long / short).toBeCloseTo(5, 3);
    expect(costOf('gpt-6-sol', { promptTokens: 272_001, completionTokens: 0 })).toBeCloseTo((272_001 * 4) / 1e6);
  });

  it('has a price for every listed model', () => {
    const offered = [...ANTHROPIC_MODELS.map(({ id }) => id), ...OPENAI_MODELS.map(({ info }) => info.id)];
    expect(offered.filter((id) => costOf(id, MILLION) === undefined)).toEqual([]);
  });
});
