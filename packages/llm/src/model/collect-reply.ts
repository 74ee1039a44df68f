import type { CitationEvent, StopReason } from '@lectern/grounding';
import { AppError } from '@lectern/service-kit';
import type { ChatEvent, TokenUsage, ToolCallEvent } from '#model/chat-event';
import type { AssistantMessage } from '#model/chat-message';

/** A whole reply, gathered from its events. */
export interface CollectedReply {
  readonly text: string;
  readonly citations: readonly CitationEvent[];
  readonly toolCalls: readonly ToolCallEvent[];
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  /** The reply as a message of the next request, where the model gives it. */
  readonly message?: AssistantMessage;
}

/**
 * Drains a model's stream into one reply, for callers that do not stream.
 * Throws what the stream throws, and AppError `upstream_error` when the stream stops without its `end` event.
 */
export async function collectReply(events: AsyncIterable<ChatEvent>): Promise<CollectedReply> {
  let text = '';
  const citations: CitationEvent[] = [];
  const toolCalls: ToolCallEvent[] = [];
  for await (const event of events) {
    switch (event.type) {
      case 'text':
        text += event.delta;
        break;
      case 'citation':
        citations.push(event);
        break;
      case 'tool_call':
        toolCalls.push(event);
        break;
      case 'end':
        return {
          text,
          citations,
          toolCalls,
          stopReason: event.stopReason,
          usage: event.usage,
          ...(event.message ? { message: event.message } : {}),
        };
    }
  }
  throw new AppError('upstream_error', 'The model stopped in the middle of its reply.');
}
