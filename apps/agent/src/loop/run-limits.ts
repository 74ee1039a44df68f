/** What one run may use. Each is a cap that holds whatever the model does. */
export interface RunLimits {
  /** Calls of the model. */
  readonly iterations: number;
  /** Calls of tools, all iterations together. */
  readonly toolCalls: number;
  /** Milliseconds from the first event to the last. */
  readonly wallMs: number;
  /** Tokens of prompts and replies, summed over all calls of the model. */
  readonly tokens: number;
  /** Bytes (UTF-8) of one tool's output that the model is shown. */
  readonly outputBytes: number;
  /** The same of all tools together. */
  readonly totalOutputBytes: number;
  /** Milliseconds of one call of a tool. */
  readonly toolMs: number;
}

/** The caps where the operator sets none. */
export const RUN_LIMITS: RunLimits = {
  iterations: 10,
  toolCalls: 25,
  wallMs: 120_000,
  tokens: 400_000,
  outputBytes: 64 * 1024,
  totalOutputBytes: 512 * 1024,
  toolMs: 30_000,
};

/** A cap that ended a run. The wall time is none of them: a run that takes too long fails with `timeout`. */
export type LimitName = 'iterations' | 'tool_calls' | 'tokens' | 'tool_output';

/** What a reader is told where a cap ended a run before there was an answer. */
export function limitSentence(limit: LimitName, limits: RunLimits): string {
  const reached: Readonly<Record<LimitName, string>> = {
    iterations: `${limits.iterations} steps`,
    tool_calls: `${limits.toolCalls} tool calls`,
    tokens: `${limits.tokens} tokens`,
    tool_output: `${limits.totalOutputBytes} bytes read from tools`,
  };
  return `I stopped before I had an answer: this run reached its limit of ${reached[limit]}.`;
}
