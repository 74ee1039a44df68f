import type { CachedTokens, TokenUsage } from '#model/chat-event';

/** US dollars per million tokens, at a provider's standard rate. */
interface Price {
  readonly input: number;
  readonly output: number;
  /** For input that the provider writes to its cache, for five minutes. */
  readonly cacheWrite: number;
  /** For input that it reads from the cache. */
  readonly cacheRead: number;
  /** Factors for prompts above this many tokens. */
  readonly beyond?: { readonly promptTokens: number; readonly input: number; readonly output: number };
}

/** When the prices below were read from their sources. */
export const PRICES_READ_ON = '2026-11-22';

/**
 * Returns a price of Anthropic. Source: https://platform.claude.com/docs/en/about-claude/pricing
 * and the overview of each model.
 */
const claude = (input: number, output: number, readShare = 0.1): Price => ({
  input,
  output,
  cacheWrite: input * 1.25,
  cacheRead: input * readShare,
});

/**
 * Returns a price of OpenAI. Source: https://developers.openai.com/api/docs/pricing. Replies do not
 * report cache writes, so these count as input.
 */
const openai = (input: number, output: number, readShare: number): Price => ({
  input,
  output,
  cacheWrite: input,
  cacheRead: input * readShare,
});
const openaiLong = (input: number, output: number, readShare = 0.1): Price => ({
  ...openai(input, output, readShare),
  beyond: { promptTokens: 272_000, input: 2, output: 1.5 },
});

/** By model id. No cost is counted for a model that is not listed. */
const PRICES: Readonly<Record<string, Price>> = {
  'claude-opus-5-5': claude(4, 20, 0.05),
  'claude-sonnet-5-5': claude(2, 10, 0.05),
  'claude-haiku-5-5': { ...claude(0.1, 0.5), beyond: { promptTokens: 100_000, input: 5, output: 5 } },
  'claude-fable-5-1': claude(10, 50),
  'claude-opus-5': claude(5, 25),
  'claude-sonnet-5': claude(2, 10),
  'claude-opus-4-6': claude(5, 25),
  'claude-sonnet-4-6': claude(3, 15),
  'claude-opus-4-5': claude(5, 25),
  'claude-sonnet-4-5': claude(3, 15),
  'claude-haiku-4-5': claude(1, 5),
  'gpt-4o': openai(2.5, 10, 0.5),
  'gpt-4o-mini': openai(0.15, 0.6, 0.5),
  'gpt-4-turbo': openai(10, 30, 1),
  'gpt-4.1': openai(2, 8, 0.25),
  'gpt-4.1-mini': openai(0.4, 1.6, 0.25),
  'gpt-4.1-nano': openai(0.1, 0.4, 0.25),
  o3: openai(2, 8, 0.25),
  'o3-mini': openai(1.1, 4.4, 0.5),
  'o4-mini': openai(1.1, 4.4, 0.25),
  'gpt-5': openai(1.25, 10, 0.1),
  'gpt-5-mini': openai(0.25, 2, 0.1),
  'gpt-5-nano': openai(0.05, 0.4, 0.1),
  'gpt-5.1': openai(1.25, 10, 0.1),
  'gpt-5.2': openai(1.75, 14, 0.1),
  'gpt-5.4': openaiLong(2.5, 15),
  'gpt-5.4-mini': openai(0.75, 4.5, 0.1),
  'gpt-5.4-nano': openai(0.2, 1.25, 0.1),
  'gpt-5.5': openaiLong(5, 30),
  'gpt-5.6-sol': openaiLong(4, 20),
  'gpt-5.6-terra': openaiLong(2, 12),
  'gpt-5.6-luna': openaiLong(0.2, 1.2),
  'gpt-6-astra': openaiLong(10, 50),
  'gpt-6-sol': openaiLong(2, 10),
  'gpt-6-luna': openaiLong(0.1, 0.5),
  'gpt-6.1-sol': openaiLong(2, 10, 0.05),
  'gpt-6.1-terra': openaiLong(1, 5, 0.05),
  'gpt-6.2-astra': openaiLong(8, 40, 0.05),
  'gpt-6.2-sol': openaiLong(2, 10, 0.05),
};

/**
 * Returns the cost of a reply in US dollars at the standard rate, without discounts and tool fees.
 * Undefined if the price is unknown.
 */
export function costOf(model: string, usage: TokenUsage, cached?: CachedTokens): number | undefined {
  const price = PRICES[model];
  if (price === undefined) return undefined;
  const { promptTokens, completionTokens } = usage;
  const { written, read } = cached ?? { written: 0, read: 0 };
  const factors = price.beyond && promptTokens > price.beyond.promptTokens ? price.beyond : { input: 1, output: 1 };
  const input = (promptTokens - written - read) * price.input + written * price.cacheWrite + read * price.cacheRead;
  return (input * factors.input + completionTokens * price.output * factors.output) / 1_000_000;
}
