import { type DeleteConversationRequest, isId } from '@lectern/contracts';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { ownedBy } from '#conversations/visibility';

/**
 * Deletes a conversation with its messages. A reply in progress still reaches its client, but is
 * not stored.
 */
export const deleteConversation =
  ({ db }: Context) =>
  async ({ id }: DeleteConversationRequest, { caller }: ServiceCall) => {
    const { count } = isId('conversation', id)
      ? await db.conversation.deleteMany({ where: { id, ...ownedBy(caller) } })
      : { count: 0 };
    if (count === 0) throw notFound('conversation', id);
    return { id };
  };
