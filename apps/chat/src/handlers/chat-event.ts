import type { ChatEvent } from '@lectern/contracts';
import type { PlacedEvent } from '#replies/reply-log';
import type { TurnEvent } from '#turn/turn-event';

/** Converts an event to its contract form. */
export function toChatEvent({ id, event }: PlacedEvent): ChatEvent {
  return { id, event: toMessage(event) };
}

function toMessage(event: TurnEvent): NonNullable<ChatEvent['event']> {
  switch (event.type) {
    case 'message_start':
      return { $case: 'messageStart', value: { id: event.id, conversationId: event.conversationId } };
    case 'content_delta':
      return { $case: 'contentDelta', value: { delta: event.delta } };
    case 'run':
      return { $case: 'run', value: { event: event.event } };
    case 'sources':
      return { $case: 'sources', value: { sources: [...event.sources], marks: [] } };
    case 'message_end':
      return {
        $case: 'messageEnd',
        value: {
          usage: event.usage,
          answerConfidence: event.confidence,
          model: event.model,
          stopReason: '',
          documents: [],
        },
      };
  }
}
