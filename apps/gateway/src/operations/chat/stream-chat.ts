import { onBehalfOf } from '@lectern/service-kit';
import { stream } from '#http/answer';
import { jsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { chatBody, chatRequest } from '#operations/chat/chat-body';
import { chatEventSchemas, chatEvents } from '#operations/chat/chat-events';
import { teamParams } from '#operations/chat/params';

/** A reply that takes longer than this is broken off. */
const DEADLINE_MS = 600_000;

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
  errors: ['upstream_error'],
  stream: {
    events: chatEventSchemas,
    terminal: 'message_end',
    resumable: false,
  },
  handle: async (ctx, { body }, call) => {
    const options = { ...onBehalfOf(call), deadline: DEADLINE_MS };
    return stream(chatEvents(ctx.clients.chat.streamChat(chatRequest(body), options)));
  },
});
