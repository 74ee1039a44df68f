import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation } from '#http/operation';
import { pageQuery } from '#http/paging';
import { teamParams } from '#operations/chat/params';
import { conversationItem, conversationItemSchema } from '#operations/chat/view';

export const listConversations = defineOperation({
  id: 'listConversations',
  method: 'get',
  path: '/api/v1/teams/{teamId}/conversations',
  summary: 'List conversations, most recently used first',
  access: 'secret',
  params: teamParams,
  query: pageQuery,
  body: noBody,
  success: 200,
  answer: answersPage(z.array(conversationItemSchema)),
  handle: async (ctx, { query }, call) => {
    const answer = await ctx.clients.chat.listConversations({ page: query }, onBehalfOf(call));
    return page(answer.conversations.map(conversationItem), answer.page);
  },
});
