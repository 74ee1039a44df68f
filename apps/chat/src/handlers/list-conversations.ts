import type { ListConversationsRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { visibleTo } from '#conversations/visibility';
import { toConversation } from '#handlers/to-conversation';

const LIMIT = { default: 20, max: 100 };

/** The caller's conversations, most recently used first; those whose first turn is not stored are left out. */
export const listConversations =
  ({ db }: Context) =>
  async (request: ListConversationsRequest, { caller }: ServiceCall) => {
    const { page: asked = 1, limit: wanted = 0 } = request.page ?? {};
    const page = Math.max(1, asked);
    const limit = wanted < 1 ? LIMIT.default : Math.min(wanted, LIMIT.max);
    const where = { ...visibleTo(caller), messageCount: { gt: 0 } };
    const [rows, total] = await db.$transaction([
      db.conversation.findMany({
        where,
        orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
        skip: (page - 1) * limit,
        take: limit,
      }),
      db.conversation.count({ where }),
    ]);
    return {
      conversations: rows.map(toConversation),
      page: { page, limit, total, hasMore: page * limit < total },
    };
  };
