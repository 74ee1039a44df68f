import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { conversationParams } from '#operations/chat/params';
import { conversationRecord, conversationRecordSchema } from '#operations/chat/view';

export const getConversation = defineOperation({
  id: 'getConversation',
  method: 'get',
  path: '/api/v1/teams/{teamId}/conversations/{id}',
  summary: 'Get a conversation with its messages',
  access: 'secret',
  params: conversationParams,
  query: none,
  body: noBody,
  success: 200,
  answer: answers(conversationRecordSchema),
  handle: async (ctx, { params }, call) => {
    const conversation = await ctx.clients.chat.getConversation({ id: params.id }, onBehalfOf(call));
    return data(conversationRecord(conversation));
  },
});
