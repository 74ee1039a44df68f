import type { ChatEvent } from '@lectern/contracts';
import { z } from 'zod';
import type { StreamEvent } from '#http/answer';
import { confidence, confidenceSchema, source, sourcesSchema, usage, usageSchema } from '#operations/chat/view';

function chatEvent({ event }: ChatEvent): StreamEvent | undefined {
  switch (event?.$case) {
    case 'messageStart':
      return { event: 'message_start', data: { id: event.value.id, conversationId: event.value.conversationId } };
    case 'contentDelta':
      return { event: 'content_delta', data: { delta: event.value.delta } };
    case 'sources':
      return { event: 'sources', data: { sources: event.value.sources.map(source) } };
    case 'messageEnd': {
      const { usage: used, answerConfidence } = event.value;
      return { event: 'message_end', data: { usage: usage(used), answer_confidence: confidence(answerConfidence) } };
    }
    default:
      // An event of a newer chat service.
      return undefined;
  }
}

/** The events of a reply as the API names them. */
export async function* chatEvents(events: AsyncIterable<ChatEvent>): AsyncGenerator<StreamEvent> {
  for await (const event of events) {
    const mapped = chatEvent(event);
    if (mapped !== undefined) yield mapped;
  }
}

/** What each event's data holds. */
export const chatEventSchemas = {
  message_start: z.object({ id: z.string(), conversationId: z.string() }),
  content_delta: z.object({ delta: z.string() }),
  sources: z.object({ sources: sourcesSchema }),
  message_end: z.object({ usage: usageSchema, answer_confidence: confidenceSchema.nullable() }),
};
