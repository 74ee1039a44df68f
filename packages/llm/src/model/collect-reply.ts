import type { CitationEvent, StopReason } from '@lectern/grounding';
import { AppError } from '@lectern/service-kit';
import type { ChatEvent, TokenUsage, ToolCallEvent } from '#model/chat-event';
import type { AssistantMessage } from '#model/chat-message';

/** A complete reply, collected from its events. */
export interface CollectedReply {
  readonly text: string;
  readonly citations: readonly CitationEvent[];
  readonly toolCalls: readonly ToolCallEvent[];
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  /** The reply as a message for the next request, if the model provides it. */
  readonly message?: AssistantMessage;
}

/**
 * Collects a stream into one reply. Throws what the stream throws, or AppError `upstream_error` if
 * it stops without `end`.
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
