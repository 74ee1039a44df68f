import type { GetConversationRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readConversation } from '#conversations/read-conversation';
import { toConversation, toMessage } from '#handlers/to-conversation';

/** A conversation with its messages, oldest first. */
export const getConversation =
  ({ db }: Context) =>
  async ({ id }: GetConversationRequest, { caller }: ServiceCall) => {
    const conversation = await readConversation(db, caller, id);
    const messages = await db.message.findMany({ where: { conversationId: id }, orderBy: { position: 'asc' } });
    return { ...toConversation(conversation), messages: messages.map(toMessage) };
  };
