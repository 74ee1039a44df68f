/** The limits of one run. They apply regardless of the model's output. */
export interface RunLimits {
  /** Calls to the model. */
  readonly iterations: number;
  /** Tool calls in all iterations together. */
  readonly toolCalls: number;
  /** Milliseconds from the first event to the last. */
  readonly wallMs: number;
  /** Tokens of prompts and replies, summed over all calls of the model. */
  readonly tokens: number;
  /** The size of one tool's output, in UTF-8 bytes. */
  readonly outputBytes: number;
  /** The size of all tool output together, in UTF-8 bytes. */
  readonly totalOutputBytes: number;
  /** The timeout of one tool call, in milliseconds. */
  readonly toolMs: number;
}

/** The default limits. */
export const RUN_LIMITS: RunLimits = {
  iterations: 10,
  toolCalls: 25,
  wallMs: 120_000,
  tokens: 400_000,
  outputBytes: 64 * 1024,
  totalOutputBytes: 512 * 1024,
  toolMs: 30_000,
};

/**
 * A limit that can end a run with an answer. A run that exceeds its wall time fails with `timeout`
 * instead.
 */
export type LimitName = 'iterations' | 'tool_calls' | 'tokens' | 'tool_output' | 'approval';

/** Returns the answer of a run that reached a limit before it had one. */
export function limitSentence(limit: LimitName, limits: RunLimits): string {
  if (limit === 'approval') return 'I stopped before I had an answer: no one approved my tool call in time.';
  const reached: Readonly<Record<Exclude<LimitName, 'approval'>, string>> = {
    iterations: `${limits.iterations} steps`,
    tool_calls: `${limits.toolCalls} tool calls`,
    tokens: `${limits.tokens} tokens`,
    tool_output: `${limits.totalOutputBytes} bytes read from tools`,
  };
  return `I stopped before I had an answer: this run reached its limit of ${reached[limit]}.`;
}
