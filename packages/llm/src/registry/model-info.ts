/** Who runs a model. */
export type ModelProvider = 'builtin';

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
