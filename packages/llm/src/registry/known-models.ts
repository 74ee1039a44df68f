import type { ModelInfo } from '#registry/model-info';

/** The model that works without a key and without a network: it quotes, and its name says so. */
export const BUILTIN_MODEL_ID = 'builtin-extractive';

/** The built-in model's sizes. */
export const BUILTIN_MODEL: ModelInfo = {
  id: BUILTIN_MODEL_ID,
  provider: 'builtin',
  contextWindow: 128_000,
  recommendedMaxTokens: 100_000,
  defaultMaxOutput: 1_024,
  maxOutput: 4_096,
  supportsTools: false,
};
