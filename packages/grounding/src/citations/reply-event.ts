/**
 * Part of a reply's text as the reader sees it: markers `[1]`, `[2]`… are in it, numbered by
 * document in order of first citation.
 */
export interface TextEvent {
  readonly type: 'text';
  readonly delta: string;
}

/** A citation of a source. Follows the text event that completes its marker. */
export interface CitationEvent {
  readonly type: 'citation';
  /** The number in the marker; citations of one document share it. */
  readonly marker: number;
  readonly sourceId: string;
  /** Index into the source's `passages`. */
  readonly passageIndex: number;
  /** The cited words, verbatim from the passage. */
  readonly quote: string;
  /**
   * The part of the reply that the quote supports, without the marker: UTF-16 offsets into the
   * whole reply.
   */
  readonly textStart: number;
  readonly textEnd: number;
}

/** The events of a reply's text. */
export type ReplyEvent = TextEvent | CitationEvent;

/**
 * `end`: complete; `max_tokens`: cut at the limit; `tool_calls`: waits for results; `refused`:
 * declined by the provider.
 */
export type StopReason = 'end' | 'max_tokens' | 'tool_calls' | 'refused';
