import type { StoredReply } from '#conversations/stored-reply';
import type { TurnEvent } from '#turn/turn-event';

/** A complete reply. */
export interface CompleteReply extends StoredReply {
  readonly id: string;
  readonly conversationId: string;
}

/**
 * Collects a turn's events into a reply that equals the streamed one field by field. Throws what
 * the turn throws.
 */
export async function foldReply(events: AsyncIterable<{ readonly event: TurnEvent }>): Promise<CompleteReply> {
  const texts: string[] = [];
  let start: Extract<TurnEvent, { type: 'message_start' }> | undefined;
  let sources: StoredReply['sources'] = [];
  for await (const { event } of events) {
    if (event.type === 'message_start') start = event;
    else if (event.type === 'content_delta') texts.push(event.delta);
    else if (event.type === 'sources') sources = event.sources;
    else if (event.type === 'message_end' && start !== undefined) {
      const { id, conversationId } = start;
      const { usage, confidence, model } = event;
      return { id, conversationId, content: texts.join(''), sources, usage, confidence, model };
    }
  }
  throw new Error('The turn ended without message_end.');
}
