import type { CitationLedger, QueryShape, SourceDocument } from '@lectern/grounding';
import type { ChatEvent } from '#model/chat-event';
import type { ChatMessage } from '#model/chat-message';
import type { ModelInfo } from '#registry/model-info';

/** A tool the model may call; `inputSchema` is JSON Schema of an object. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One turn asked of a model. The caller has already fitted it into the model's window. */
export interface ChatRequest {
  /** Instructions that stand above the conversation. */
  readonly system?: string;
  /** Oldest first; never empty. */
  readonly messages: readonly ChatMessage[];
  /** The newest user message made self-standing, where it was a follow-up. Defaults to that message. */
  readonly question?: string;
  /** What retrieval found, best first. Empty when nothing was found or nothing is needed. */
  readonly sources: readonly SourceDocument[];
  readonly tools?: readonly ToolDefinition[];
  /** Upper bound of the reply, in tokens. */
  readonly maxTokens: number;
  /** Numbers the citations; one ledger for all calls of a tool loop keeps their numbers together. A new one where it is absent. */
  readonly ledger?: CitationLedger;
  /** What kind of question it is; a model may classify by itself where it is absent. */
  readonly shape?: QueryShape;
}

export interface StreamOptions {
  /** Aborting ends the provider's call and makes the stream throw. */
  readonly signal: AbortSignal;
}

/** A chat model, whoever provides it. Implementations hold no state between calls. */
export interface ChatModel {
  readonly id: string;
  readonly info: ModelInfo;
  /** Tokens of a text for budgeting: exact where the model's tokenizer is known, otherwise an estimate that errs high. */
  countTokens(text: string): number;
  /** Tokens that the model's provider adds to a prompt beside the request's texts and their frames; none where it is absent. */
  readonly promptOverhead?: number;
  /**
   * Answers the request as events, ending with one `end`. Leaving the loop early frees what the call holds.
   * Throws AppError: `invalid_request` (the request cannot be sent), `cancelled` and `timeout` (by the signal),
   * `unavailable` (overloaded, retries spent), `upstream_error` (the provider failed).
   */
  stream(request: ChatRequest, options: StreamOptions): AsyncIterable<ChatEvent>;
}
