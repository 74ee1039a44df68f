import type { GetConversationRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readableBehind } from '#conversations/lost-documents';
import { readConversation } from '#conversations/read-conversation';
import { toConversation, toMessage } from '#handlers/to-conversation';

/** A conversation with its messages, oldest first. Replies that rest on documents that the caller has lost are withheld. */
export const getConversation =
  ({ db, services }: Context) =>
  async ({ id }: GetConversationRequest, call: ServiceCall) => {
    const conversation = await readConversation(db, call.caller, id);
    const messages = await db.message.findMany({ where: { conversationId: id }, orderBy: { position: 'asc' } });
    const readable = await readableBehind(services.for(call), messages);
    return { ...toConversation(conversation), messages: messages.map((message) => toMessage(message, readable)) };
  };
