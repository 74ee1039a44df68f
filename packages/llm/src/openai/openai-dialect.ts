/** How OpenAI-compatible servers differ from each other. */
export interface OpenAiDialect {
  /** Most servers support `max_tokens`; OpenAI's reasoning models only `max_completion_tokens`. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Whether to request usage at the end of the stream. A few servers reject the field. */
  readonly requestsUsage: boolean;
  /** Whether to send `reasoning_effort: 'none'` with tools. */
  readonly toolsWithoutReasoning: boolean;
  /** False if the model rejects `temperature` and `top_p`. Default: true. */
  readonly sendsSampling?: boolean;
}

/**
 * Returns the dialect to try after a server rejected a field by name, or undefined if the message
 * names no known field.
 */
export function fallbackDialect(dialect: OpenAiDialect, rejection: string): OpenAiDialect | undefined {
  if (dialect.requestsUsage && /stream_options|include_usage/.test(rejection))
    return { ...dialect, requestsUsage: false };
  if (dialect.toolsWithoutReasoning && /reasoning_effort/.test(rejection)) {
    return { ...dialect, toolsWithoutReasoning: false };
  }
  if (dialect.sendsSampling !== false && /temperature|top_p/.test(rejection)) {
    return { ...dialect, sendsSampling: false };
  }
  if (
    dialect.maxTokensField === 'max_tokens' &&
    /max_completion_tokens|max_tokens.*(?:unsupported|not supported)/i.test(rejection)
  ) {
    return { ...dialect, maxTokensField: 'max_completion_tokens' };
  }
  if (dialect.maxTokensField === 'max_completion_tokens' && /max_completion_tokens|max_tokens/.test(rejection)) {
    return { ...dialect, maxTokensField: 'max_tokens' };
  }
  return undefined;
}
