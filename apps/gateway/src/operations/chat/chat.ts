import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { chatBody, chatRequest } from '#operations/chat/chat-body';
import { mayReplayReply } from '#operations/chat/may-replay';
import { teamParams } from '#operations/chat/params';
import { chatReply, chatReplySchema } from '#operations/chat/view';
import { addTokens } from '#usage/request-usage';

export const chat = defineOperation({
  id: 'chat',
  method: 'post',
  path: '/api/v1/teams/{teamId}/chat',
  summary: 'Ask, and get the whole reply',
  access: 'secret',
  params: teamParams,
  query: none,
  body: jsonBody(chatBody),
  success: 200,
  usage: 'chat',
  mayReplay: mayReplayReply,
  answer: answers(chatReplySchema),
  errors: ['upstream_error'],
  handle: async (ctx, { body }, call) => {
    const reply = chatReply(await ctx.clients.chat.chat(chatRequest(body), onBehalfOf(call)));
    addTokens(call.usage, reply.usage);
    return data(reply);
  },
});
