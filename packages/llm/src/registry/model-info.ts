/** Who runs a model: ourselves, Anthropic, or a server that speaks OpenAI's Chat Completions. */
export type ModelProvider = 'builtin' | 'anthropic' | 'openai';

/** What the rest of the system needs to know of a model before it calls it. All sizes are tokens. */
export interface ModelInfo {
  readonly id: string;
  readonly provider: ModelProvider;
  /** Prompt, sources, history, message and reply together. */
  readonly contextWindow: number;
  /** What a prompt is filled up to; the rest of the window is a margin for estimates and the reply. */
  readonly recommendedMaxTokens: number;
  /** The reply's bound when a request names none. */
  readonly defaultMaxOutput: number;
  /** The highest bound a request may name. */
  readonly maxOutput: number;
  /** Whether the model can call tools. */
  readonly supportsTools: boolean;
}

/** Sizes of a model that nothing is known about but its window: the reply gets at most a quarter of it, a fifth stays free. */
export function infoForWindow(id: string, provider: ModelProvider, contextWindow: number): ModelInfo {
  const maxOutput = Math.min(8_192, Math.floor(contextWindow / 4));
  return {
    id,
    provider,
    contextWindow,
    recommendedMaxTokens: Math.floor(contextWindow * 0.8),
    defaultMaxOutput: Math.min(2_048, maxOutput),
    maxOutput,
    supportsTools: true,
  };
}
