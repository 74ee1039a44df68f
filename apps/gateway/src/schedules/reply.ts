import { type Message, MessageStatus } from '@lectern/contracts';
import { AppError, onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';
import type { KeyedCall } from '#pipeline/operation';

/** Reads a complete stored reply as its owner may see it now. Undefined if there is none. */
export async function readReply(
  { clients }: Context,
  call: KeyedCall,
  {
    conversationId,
    messageId,
  }: { readonly conversationId?: string | undefined; readonly messageId?: string | undefined },
): Promise<Message | undefined> {
  if (!conversationId || !messageId) return undefined;
  try {
    const { messages } = await clients.chat.getConversation({ id: conversationId }, onBehalfOf(call));
    return messages.find(({ id, status }) => id === messageId && status === MessageStatus.COMPLETE);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
