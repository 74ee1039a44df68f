/** How servers of Chat Completions differ from each other. */
export interface OpenAiDialect {
  /** `max_tokens` is what most servers know; OpenAI's reasoning models take `max_completion_tokens` alone. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Whether to ask for usage at the end of the stream; a few servers refuse the field. */
  readonly asksForUsage: boolean;
  /** Tools come with `reasoning_effort: 'none'`. */
  readonly toolsWithoutReasoning: boolean;
}

/** The dialect to try after a server has refused a field by name with status 400, or undefined where that was not about ours. */
export function otherDialect(dialect: OpenAiDialect, refusal: string): OpenAiDialect | undefined {
  if (dialect.asksForUsage && /stream_options|include_usage/.test(refusal)) return { ...dialect, asksForUsage: false };
  if (dialect.toolsWithoutReasoning && /reasoning_effort/.test(refusal)) {
    return { ...dialect, toolsWithoutReasoning: false };
  }
  if (
    dialect.maxTokensField === 'max_tokens' &&
    /max_completion_tokens|max_tokens.*(?:unsupported|not supported)/i.test(refusal)
  ) {
    return { ...dialect, maxTokensField: 'max_completion_tokens' };
  }
  if (dialect.maxTokensField === 'max_completion_tokens' && /max_completion_tokens|max_tokens/.test(refusal)) {
    return { ...dialect, maxTokensField: 'max_tokens' };
  }
  return undefined;
}
