import { optionalJsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { conversationParams } from '#operations/chat/params';
import { regenerateBody, regenerateRequest } from '#operations/chat/regenerate-body';
import { REPLY_STREAM, replyStream } from '#operations/chat/reply-stream';

export const streamRegenerate = defineOperation({
  id: 'streamRegenerate',
  method: 'post',
  path: '/api/v1/teams/{teamId}/conversations/{id}/regenerate/stream',
  summary: 'Answer the last message of a conversation anew, and get the reply as it is written',
  access: 'secret',
  params: conversationParams,
  query: none,
  body: optionalJsonBody(regenerateBody),
  success: 200,
  usage: 'chat',
  errors: ['upstream_error'],
  stream: REPLY_STREAM,
  handle: async (ctx, { params, body }, call) =>
    replyStream(ctx, call, (options) => ctx.clients.chat.streamRegenerate(regenerateRequest(params.id, body), options)),
});
