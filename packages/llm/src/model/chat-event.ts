import type { CitationEvent, StopReason, TextEvent } from '@lectern/grounding';
import type { AssistantMessage } from '#model/chat-message';

/** The model calls a tool. The stream then ends with `stopReason: 'tool_calls'`. */
export interface ToolCallEvent {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * The text that the model wrote, if it was not a JSON object. The caller returns an error as the
   * result.
   */
  readonly malformed?: string;
}

/** Token counts by the model's own tokenizer, or an estimate for the built-in model. */
export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/**
 * Tokens of the prompt that the provider wrote to its cache and read from it. Both have separate
 * prices.
 */
export interface CachedTokens {
  readonly written: number;
  readonly read: number;
}

/** The last event of every stream that does not throw. Sent exactly once. */
export interface EndEvent {
  readonly type: 'end';
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  /** Absent if no tokens were cached. */
  readonly cached?: CachedTokens;
  /**
   * The whole reply as a message, for the next request of a tool loop. Absent for models without
   * tools.
   */
  readonly message?: AssistantMessage;
}

export type ChatEvent = TextEvent | CitationEvent | ToolCallEvent | EndEvent;
