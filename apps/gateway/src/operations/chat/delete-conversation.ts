import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers, deletedRecord } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { conversationParams } from '#operations/chat/params';

export const deleteConversation = defineOperation({
  id: 'deleteConversation',
  method: 'delete',
  path: '/api/v1/teams/{teamId}/conversations/{id}',
  summary: 'Delete a conversation',
  access: 'secret',
  params: conversationParams,
  query: none,
  body: noBody,
  success: 200,
  answer: answers(deletedRecord),
  handle: async (ctx, { params }, call) => {
    const { id } = await ctx.clients.chat.deleteConversation({ id: params.id }, onBehalfOf(call));
    return data({ id, deleted: true });
  },
});
