/** Who runs a model: Lectern itself, Anthropic, or an OpenAI-compatible server. */
export type ModelProvider = 'builtin' | 'anthropic' | 'openai';

/** The limits of a model, in tokens. */
export interface ModelInfo {
  readonly id: string;
  readonly provider: ModelProvider;
  /** The limit of prompt and reply together. */
  readonly contextWindow: number;
  /** The size to which a prompt is filled. The rest is a margin for estimates and the reply. */
  readonly recommendedMaxTokens: number;
  /** The reply's limit if a request names none. */
  readonly defaultMaxOutput: number;
  /** The highest limit that a request can name. */
  readonly maxOutput: number;
  /** Whether the model can call tools. */
  readonly supportsTools: boolean;
  /** The endpoint of the team that offers it. Undefined for a model of the installation. */
  readonly endpoint?: { readonly id: string; readonly name: string } | undefined;
}

/**
 * Returns the sizes of a model if only its window is known: at most a quarter for the reply, a
 * fifth as margin.
 */
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
