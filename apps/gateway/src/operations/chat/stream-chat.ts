import { jsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { chatBody, chatRequest } from '#operations/chat/chat-body';
import { teamParams } from '#operations/chat/params';
import { REPLY_STREAM, replyStream } from '#operations/chat/reply-stream';

export const streamChat = defineOperation({
  id: 'streamChat',
  method: 'post',
  path: '/api/v1/teams/{teamId}/chat/stream',
  summary: 'Ask, and get the reply as it is written',
  access: 'secret',
  params: teamParams,
  query: none,
  body: jsonBody(chatBody),
  success: 200,
  usage: 'chat',
  errors: ['upstream_error'],
  stream: REPLY_STREAM,
  handle: async (ctx, { body }, call) =>
    replyStream(ctx, call, (options) => ctx.clients.chat.streamChat(chatRequest(body), options)),
});
