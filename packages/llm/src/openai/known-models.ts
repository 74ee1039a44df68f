import type { ModelInfo } from '#model/model-info';

/** A model of OpenAI and the peculiarities of its API. */
export interface OpenAiModel {
  readonly info: ModelInfo;
  readonly encoding: 'o200k_base' | 'cl100k_base';
  /**
   * A reasoning model: accepts only `max_completion_tokens`, and its reasoning counts as output.
   */
  readonly reasons: boolean;
  /** Supports tools in Chat Completions only with `reasoning_effort: 'none'`. */
  readonly toolsWithoutReasoning: boolean;
}

interface Sizes {
  readonly contextWindow: number;
  readonly recommendedMaxTokens: number;
  readonly maxOutput: number;
}

const SMALL: Sizes = { contextWindow: 128_000, recommendedMaxTokens: 100_000, maxOutput: 16_384 };
const MEDIUM: Sizes = { contextWindow: 200_000, recommendedMaxTokens: 160_000, maxOutput: 100_000 };
/** At most 272,000 tokens of input. */
const LARGE: Sizes = { contextWindow: 400_000, recommendedMaxTokens: 250_000, maxOutput: 128_000 };
/** Prompts beyond 272,000 tokens are possible, but cost double. */
const LONG: Sizes = { contextWindow: 1_050_000, recommendedMaxTokens: 250_000, maxOutput: 128_000 };
const LONG_4_1: Sizes = { contextWindow: 1_047_576, recommendedMaxTokens: 800_000, maxOutput: 32_768 };

type Traits = Partial<Pick<OpenAiModel, 'encoding' | 'toolsWithoutReasoning'>> & { readonly tools?: boolean };

const plain = (id: string, sizes: Sizes, traits: Traits = {}): OpenAiModel => model(id, sizes, 4_096, false, traits);
const reasoning = (id: string, sizes: Sizes, traits: Traits = {}): OpenAiModel =>
  model(id, sizes, 16_000, true, traits);

function model(id: string, sizes: Sizes, output: number, reasons: boolean, traits: Traits): OpenAiModel {
  return {
    info: {
      id,
      provider: 'openai',
      ...sizes,
      defaultMaxOutput: Math.min(output, sizes.maxOutput),
      supportsTools: traits.tools ?? true,
    },
    encoding: traits.encoding ?? 'o200k_base',
    reasons,
    toolsWithoutReasoning: traits.toolsWithoutReasoning ?? false,
  };
}

/**
 * OpenAI's models with Chat Completions, as documented at
 * https://developers.openai.com/api/docs/models.
 */
export const OPENAI_MODELS: readonly OpenAiModel[] = [
  plain('gpt-4o', SMALL),
  plain('gpt-4o-mini', SMALL),
  plain('gpt-4-turbo', { ...SMALL, maxOutput: 4_096 }, { encoding: 'cl100k_base' }),
  plain('gpt-4.1', LONG_4_1),
  plain('gpt-4.1-mini', LONG_4_1),
  plain('gpt-4.1-nano', LONG_4_1),
  reasoning('o3', MEDIUM),
  reasoning('o3-mini', MEDIUM),
  reasoning('o4-mini', MEDIUM),
  reasoning('gpt-5', LARGE),
  reasoning('gpt-5-mini', LARGE),
  reasoning('gpt-5-nano', LARGE),
  reasoning('gpt-5.1', LARGE),
  reasoning('gpt-5.2', LARGE),
  reasoning('gpt-5.4', LONG, { toolsWithoutReasoning: true }),
  reasoning('gpt-5.4-mini', LARGE, { toolsWithoutReasoning: true }),
  reasoning('gpt-5.4-nano', LARGE, { toolsWithoutReasoning: true }),
  reasoning('gpt-5.5', LONG, { toolsWithoutReasoning: true }),
  reasoning('gpt-5.6-sol', LONG, { toolsWithoutReasoning: true }),
  reasoning('gpt-5.6-terra', LONG, { toolsWithoutReasoning: true }),
  reasoning('gpt-5.6-luna', LONG, { toolsWithoutReasoning: true }),
  // Models with `tools: false` cannot turn reasoning off, so they support no tools in Chat Completions.
  reasoning('gpt-6-astra', LONG, { tools: false }),
  reasoning('gpt-6-sol', LONG, { toolsWithoutReasoning: true }),
  reasoning('gpt-6-luna', LONG, { toolsWithoutReasoning: true }),
  reasoning('gpt-6.1-sol', LONG, { tools: false }),
  reasoning('gpt-6.1-terra', LONG, { toolsWithoutReasoning: true }),
  reasoning('gpt-6.2-astra', LONG, { tools: false }),
  reasoning('gpt-6.2-sol', LONG, { tools: false }),
];
