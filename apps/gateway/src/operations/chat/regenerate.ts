import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { optionalJsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { mayReplayReply } from '#operations/chat/may-replay';
import { conversationParams } from '#operations/chat/params';
import { regenerateBody, regenerateRequest } from '#operations/chat/regenerate-body';
import { chatReply, chatReplySchema } from '#operations/chat/view';
import { addTokens } from '#usage/request-usage';

export const regenerate = defineOperation({
  id: 'regenerate',
  method: 'post',
  path: '/api/v1/teams/{teamId}/conversations/{id}/regenerate',
  summary: 'Answer the last message of a conversation anew, in place of the reply it has',
  access: 'secret',
  params: conversationParams,
  query: none,
  body: optionalJsonBody(regenerateBody),
  success: 200,
  usage: 'chat',
  mayReplay: mayReplayReply,
  answer: answers(chatReplySchema),
  errors: ['upstream_error'],
  handle: async (ctx, { params, body }, call) => {
    const reply = chatReply(await ctx.clients.chat.regenerate(regenerateRequest(params.id, body), onBehalfOf(call)));
    addTokens(call.usage, reply.usage);
    return data(reply);
  },
});
