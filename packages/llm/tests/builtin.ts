import type { ChatModel } from '#index';

/** A fake of the built-in model, which is in a package that depends on this one. */
export const BUILTIN: ChatModel = {
  id: 'builtin-extractive',
  info: {
    id: 'builtin-extractive',
    provider: 'builtin',
    contextWindow: 128_000,
    recommendedMaxTokens: 100_000,
    defaultMaxOutput: 1_024,
    maxOutput: 4_096,
    supportsTools: false,
  },
  countTokens: (text) => text.length,
  async *stream() {
    yield { type: 'end', stopReason: 'end', usage: { promptTokens: 0, completionTokens: 0 } };
  },
};
