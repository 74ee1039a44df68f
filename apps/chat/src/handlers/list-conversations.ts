import type { ListConversationsRequest } from '@lectern/contracts';
import { pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { visibleTo } from '#conversations/visibility';
import { toConversation } from '#handlers/conversation-message';

/**
 * Lists the caller's conversations, most recently used first, without those that have no stored
 * turn.
 */
export const listConversations =
  ({ db }: Context) =>
  async (request: ListConversationsRequest, { caller }: ServiceCall) => {
    const page = readPage(request.page);
    const where = { ...visibleTo(caller), messageCount: { gt: 0 } };
    const [rows, total] = await db.$transaction([
      db.conversation.findMany({
        where,
        orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
        skip: page.skip,
        take: page.take,
      }),
      db.conversation.count({ where }),
    ]);
    return {
      conversations: rows.map(toConversation),
      page: pageInfo(page, total),
    };
  };
