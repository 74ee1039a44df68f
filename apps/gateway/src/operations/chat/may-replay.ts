import { AppError, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import type { Context } from '#context';
import type { KeyedCall } from '#http/operation';

const stored = z.object({ id: z.string(), conversationId: z.string() });

/**
 * A stored reply is replayed only while its caller can read the whole reply in its conversation: it
 * may quote documents the caller can no longer access.
 */
export async function mayReplayReply({ clients }: Context, data: unknown, call: KeyedCall): Promise<boolean> {
  const { id, conversationId } = stored.parse(data);
  try {
    const { messages } = await clients.chat.getConversation({ id: conversationId }, onBehalfOf(call));
    return messages.some((message) => message.id === id && !message.withheld);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}
