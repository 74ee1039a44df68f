import type { CitationLedger, IndexingState, QueryShape, SourceDocument } from '@lectern/grounding';
import type { Language } from '@lectern/text';
import type { ChatEvent } from '#model/chat-event';
import type { ChatMessage } from '#model/chat-message';
import type { ModelInfo } from '#model/model-info';

/** A tool that the model can call. `inputSchema` is the JSON Schema of an object. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** True if the input must follow the schema exactly. Providers without this option ignore it. */
  readonly strict?: boolean;
}

/** Which tools a model must call: any number, none, at least one, or one by name. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** The JSON that a reply must be: any object, or one that follows a JSON Schema. */
export type ReplyFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly name: string;
      readonly description?: string;
      readonly schema: Readonly<Record<string, unknown>>;
      readonly strict?: boolean;
    };

/** What a client can choose about a reply. */
export interface ReplyOptions {
  readonly tools?: readonly ToolDefinition[];
  /** Default: `auto`. */
  readonly toolChoice?: ToolChoice;
  /** False if a reply may contain only one tool call. */
  readonly parallelToolCalls?: boolean;
  /** Models that reject sampling parameters ignore both. */
  readonly temperature?: number;
  readonly topP?: number;
  /** Texts that end the reply. It does not include them. */
  readonly stop?: readonly string[];
  /** The reply is then JSON without markers and citations. */
  readonly format?: ReplyFormat;
}

/** A request for one reply. The caller has fitted it into the model's window. */
export interface ChatRequest extends ReplyOptions {
  /** Instructions that precede the conversation. */
  readonly system?: string;
  /** Oldest first; never empty. */
  readonly messages: readonly ChatMessage[];
  /**
   * The latest user message, rewritten to be self-contained if it was a follow-up. Default: that
   * message.
   */
  readonly question?: string;
  /** The retrieved documents, best first. Empty if none were found or needed. */
  readonly sources: readonly SourceDocument[];
  /** The limit of the reply, in tokens. */
  readonly maxTokens: number;
  /** Numbers the citations. Share one among the calls of a tool loop. Default: a new one. */
  readonly ledger?: CitationLedger;
  /** The kind of question. Default: a model can classify the question itself. */
  readonly shape?: QueryShape;
  /**
   * Reads what the caller can search, for a reply without an answer. Resolves to undefined if that
   * is unknown. Never rejects.
   */
  readonly indexing?: () => Promise<IndexingState | undefined>;
  /** The language that the person chose, for a question that could be in several. */
  readonly language?: Language | undefined;
}

export interface StreamOptions {
  /** Aborting it ends the provider's call and makes the stream throw. */
  readonly signal: AbortSignal;
}

/** A chat model of any provider. Implementations keep no conversation between calls. */
export interface ChatModel {
  readonly id: string;
  readonly info: ModelInfo;
  /**
   * Counts the tokens of a text for budgeting: exactly if the tokenizer is known, otherwise a high
   * estimate.
   */
  countTokens(text: string): number;
  /** Tokens that the provider adds to a prompt, besides the request's texts. Default: 0. */
  readonly promptOverhead?: number;
  /**
   * Streams the reply as events, the last of which is `end`. Leaving the loop early releases the call.
   * Throws AppError: `invalid_request` (the request cannot be sent), `cancelled` and `timeout` (the
   * signal), `unavailable` (overloaded after all retries), `upstream_error` (the provider failed).
   */
  stream(request: ChatRequest, options: StreamOptions): AsyncIterable<ChatEvent>;
}
