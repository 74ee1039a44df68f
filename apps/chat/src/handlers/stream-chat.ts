import type { ChatEvent, ChatRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { startTurn } from '#handlers/start-turn';
import type { TurnEvent } from '#turn/turn-event';

/** The reply as events. */
export const streamChat = (context: Context) =>
  async function* streamChat(request: ChatRequest, call: ServiceCall): AsyncGenerator<ChatEvent, void, undefined> {
    for await (const event of startTurn(context, request, call)) yield { event: toMessage(event) };
  };

function toMessage(event: TurnEvent): NonNullable<ChatEvent['event']> {
  switch (event.type) {
    case 'message_start':
      return { $case: 'messageStart', value: { id: event.id, conversationId: event.conversationId } };
    case 'content_delta':
      return { $case: 'contentDelta', value: { delta: event.delta } };
    case 'sources':
      return { $case: 'sources', value: { sources: [...event.sources] } };
    case 'message_end':
      return { $case: 'messageEnd', value: { usage: event.usage, answerConfidence: event.confidence } };
  }
}
