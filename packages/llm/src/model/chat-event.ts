import type { AssistantMessage } from '#model/chat-message';

/**
 * Part of the reply's text, exactly as the reader shall see it: markers `[1]`, `[2]`… are already in it, numbered by
 * document in order of first citation.
 */
export interface TextEvent {
  readonly type: 'text';
  readonly delta: string;
}

/** A place in the reply that rests on a source. Comes right after the text event that completes its marker. */
export interface CitationEvent {
  readonly type: 'citation';
  /** The number in the marker; citations of one document share it. */
  readonly marker: number;
  readonly sourceId: string;
  /** Index into the source's `passages`. */
  readonly passageIndex: number;
  /** The words relied on; stands verbatim in that passage's text. */
  readonly quote: string;
  /** The part of the reply that the quote supports, marker excluded: offsets into all text so far, in UTF-16 units. */
  readonly textStart: number;
  readonly textEnd: number;
}

/** The model wants a tool run; the stream then ends with `stopReason: 'tool_calls'`. */
export interface ToolCallEvent {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the model wrote in place of an object, where that could not be read: answer the call with an error. */
  readonly malformed?: string;
}

/** `end`: said all; `max_tokens`: cut by the limit; `tool_calls`: waits for results; `refused`: the provider declined. */
export type StopReason = 'end' | 'max_tokens' | 'tool_calls' | 'refused';

/** Tokens as the model's own tokenizer (or, for the builtin model, its estimate) counts them. */
export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Of the prompt's tokens, those that the vendor's cache took in and those that it gave: they have prices of their own. */
export interface CachedTokens {
  readonly written: number;
  readonly read: number;
}

/** Always the last event, exactly once, unless the stream throws. */
export interface EndEvent {
  readonly type: 'end';
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  /** Left out where none were cached. */
  readonly cached?: CachedTokens;
  /** The whole reply as a message: what a tool loop puts before the results. Left out by models without tools. */
  readonly message?: AssistantMessage;
}

export type ChatEvent = TextEvent | CitationEvent | ToolCallEvent | EndEvent;
