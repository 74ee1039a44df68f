import type { ModelInfo } from '@lectern/llm';

/** The id of the model that works without a key and without network access. */
export const BUILTIN_MODEL_ID = 'builtin-extractive';

export const BUILTIN_MODEL: ModelInfo = {
  id: BUILTIN_MODEL_ID,
  provider: 'builtin',
  contextWindow: 128_000,
  recommendedMaxTokens: 100_000,
  defaultMaxOutput: 1_024,
  maxOutput: 4_096,
  supportsTools: false,
};
