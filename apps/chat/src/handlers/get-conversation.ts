import type { GetConversationRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readConversation } from '#conversations/read-conversation';
import { readableDocumentsOf } from '#conversations/readable-replies';
import { documentsForOthers, repliesForOthers } from '#conversations/shared-replies';
import { isOwn } from '#conversations/visibility';
import { authorOf } from '#feedback/stored-feedback';
import { toConversation, toMessage } from '#handlers/conversation-message';

/**
 * Returns a conversation with its messages, oldest first. Withholds replies that are based on
 * documents the caller can no longer access, and in a conversation that others share those that could be.
 */
export const getConversation =
  ({ db, services }: Context) =>
  async ({ id }: GetConversationRequest, call: ServiceCall) => {
    const conversation = await readConversation(db, call.caller, id);
    const messages = await db.message.findMany({
      where: { conversationId: id },
      include: { feedback: { where: { author: authorOf(call.caller) } } },
      orderBy: { position: 'asc' },
    });
    const own = isOwn(call.caller, conversation);
    const readable = await readableDocumentsOf(services.for(call), messages, own ? undefined : documentsForOthers);
    const shown = own ? undefined : repliesForOthers(messages, readable);
    return {
      ...toConversation(conversation, call.caller),
      messages: messages.map((message) =>
        toMessage(message, readable, shown === undefined ? readable.hasAll(message) : shown.has(message.id)),
      ),
    };
  };
