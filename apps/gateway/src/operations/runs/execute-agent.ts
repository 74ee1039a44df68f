import { onBehalfOf } from '@lectern/service-kit';
import { stream } from '#http/answer';
import { jsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { chatBody, chatRequest } from '#operations/chat/chat-body';
import { runEventSchemas, runEvents } from '#operations/runs/run-events';

/** A run that takes longer than this is broken off. */
const DEADLINE_MS = 600_000;

const body = chatBody
  .omit({ agentId: true })
  .meta({ examples: [{ message: 'How many days of leave do I have, and what time is it in Tokyo?' }] });

/** An execution is a chat with the agent, told in more detail: the chat service keeps its conversation. */
export const executeAgent = defineOperation({
  id: 'executeAgent',
  method: 'post',
  path: '/api/v1/agents/{id}/execute/stream',
  summary: 'Run an agent, and follow it step by step',
  access: 'secret',
  params: idParams('agent'),
  query: none,
  body: jsonBody(body),
  success: 200,
  usage: 'agent_run',
  errors: ['upstream_error', 'conflict'],
  stream: { events: runEventSchemas, terminal: 'run_complete', resumable: false },
  handle: async (ctx, { params, body }, call) => {
    const request = chatRequest({ ...body, agentId: params.id });
    return stream(runEvents(ctx.clients.chat.streamChat(request, { ...onBehalfOf(call), deadline: DEADLINE_MS })));
  },
});
