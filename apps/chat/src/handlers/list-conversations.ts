import type { ListConversationsRequest } from '@lectern/contracts';
import { invalidRequest, literalPattern, pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { ownedBy, sharedWith } from '#conversations/visibility';
import type { Prisma } from '#gen/prisma/client';
import { toConversation } from '#handlers/conversation-message';

const MAX_QUERY = 200;

function titleContains(query: string | undefined): Prisma.ConversationWhereInput {
  const text = query?.trim() ?? '';
  if (text.length > MAX_QUERY) {
    throw invalidRequest([{ path: 'query', message: `must have at most ${MAX_QUERY} characters` }]);
  }
  return text === '' ? {} : { title: { contains: literalPattern(text), mode: 'insensitive' } };
}

/**
 * Lists the caller's conversations, or the shared ones that the caller can read, most recently used
 * first, without those that have no stored turn.
 */
export const listConversations =
  ({ db }: Context) =>
  async (request: ListConversationsRequest, { caller }: ServiceCall) => {
    const page = readPage(request.page);
    const visible = request.shared ? sharedWith(caller) : ownedBy(caller);
    const where = { ...visible, messageCount: { gt: 0 }, ...titleContains(request.query) };
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
      conversations: rows.map((row) => toConversation(row, caller)),
      page: pageInfo(page, total),
    };
  };
