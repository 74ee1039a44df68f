import type { ChatCompletionChunk } from 'openai/resources/chat/completions';

/** Why a server ended a reply. */
export type FinishReason = NonNullable<ChatCompletionChunk.Choice['finish_reason']>;

/** A piece of a tool call. */
export interface ToolFragment {
  readonly index: number;
  readonly id?: string | undefined;
  readonly function?: { readonly name?: string | undefined; readonly arguments?: string | undefined };
}

/** Token counts as a server sends them, not validated. */
export interface RawUsage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly total_tokens?: unknown;
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null | undefined;
}

/** The fields of a chunk that are read. Only these types are relied on. */
export interface ReplyChunk {
  readonly usage?: RawUsage | null | undefined;
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: unknown;
      readonly refusal?: unknown;
      readonly tool_calls?: readonly ToolFragment[] | null | undefined;
    };
    readonly finish_reason?: FinishReason | null;
  }[];
}
