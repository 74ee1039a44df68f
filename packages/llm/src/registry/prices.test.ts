import { describe, expect, it } from '@jest/globals';
import { ANTHROPIC_MODELS } from '#registry/anthropic-models';
import { OPENAI_MODELS } from '#registry/openai-models';
import { costOf } from '#registry/prices';

const MILLION = { promptTokens: 1_000_000, completionTokens: 1_000_000 };

describe('costOf', () => {
  it('is the price of a million tokens each way, and nothing for a model that nobody has priced', () => {
    expect(costOf('claude-sonnet-5-5', MILLION)).toBeCloseTo(12);
    expect(costOf('llama-of-our-own', MILLION)).toBeUndefined();
    expect(costOf('builtin-extractive', MILLION)).toBeUndefined();
  });

  it('takes what the vendor cached at its own price', () => {
    const usage = { promptTokens: 10_000, completionTokens: 0 };
    expect(costOf('claude-opus-5', usage, { written: 2_000, read: 6_000 })).toBeCloseTo(
      (2_000 * 5 + 2_000 * 6.25 + 6_000 * 0.5) / 1e6,
    );
  });

  it('is dearer for long prompts where the vendor says so', () => {
    const short = costOf('claude-haiku-5-5', { promptTokens: 100_000, completionTokens: 1_000 }) ?? 0;
    const long = costOf('claude-haiku-5-5', { promptTokens: 100_001, completionTokens: 1_000 }) ?? 0;
    expect(long / short).toBeCloseTo(5, 3);
    expect(costOf('gpt-6-sol', { promptTokens: 272_001, completionTokens: 0 })).toBeCloseTo((272_001 * 4) / 1e6);
  });

  it('knows each model that is offered', () => {
    const offered = [...ANTHROPIC_MODELS.map(({ id }) => id), ...OPENAI_MODELS.map(({ info }) => info.id)];
    expect(offered.filter((id) => costOf(id, MILLION) === undefined)).toEqual([]);
  });
});
