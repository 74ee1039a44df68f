import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import {
  anyObject,
  EXAMPLE_TIME,
  exampleId,
  failure,
  flag,
  idParam,
  idParams,
  nullableTimestamp,
  ownId,
  pageQuery,
  recordId,
  text,
  timestamp,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { chatBody, nullableConfidence, sourcesSchema, tokensSchema } from '#operations/chat';

const executeBody = chatBody
  .omit({ agentId: true })
  .meta({ examples: [{ message: 'How many days of leave do I have, and what time is it in Tokyo?' }] });

const status = z
  .enum(['running', 'completed', 'limited', 'cancelled', 'failed', 'timed_out'])
  .meta({ id: 'RunStatus', description: 'The status of the run. `limited` means that a limit ended it.' });

const memories = z
  .array(
    z
      .object({
        id: text('The id of the memory.', exampleId('memory')),
        kind: text('The kind of the memory.', 'preference'),
        content: text('The text of the memory.'),
        score: z.number().meta({ description: 'How well the memory matches the message.' }),
      })
      .meta({ id: 'RecalledMemory', description: 'A memory that matches a message.' }),
  )
  .meta({ description: 'The memories of the agent that match the message.' });

const limit = z.string().nullable().meta({ description: 'The limit that ended a limited run. Null for other runs.' });
const durationMs = 'The duration of the call in milliseconds.';
const callId = text('The id of the call.');
const toolName = text('The name of the tool.', 'calculate');
const params = anyObject.meta({ description: 'The arguments of the call.' });

const item = {
  id: ownId('run'),
  agentId: recordId('agent'),
  conversationId: z.string().nullable().meta({ description: 'The conversation of the run, if there is one.' }),
  status,
  message: text('The message that started the run.'),
  content: text('The reply, or the text generated before the run ended.'),
  model: text('The language model.', 'builtin-extractive'),
  usage: tokensSchema,
  limit,
  error: failure.nullable().meta({ description: 'Why the run failed. Null for other runs.' }),
  memories,
  withheld: flag(
    'True if the run read documents that were deleted or that you can no longer read. `content` then contains a notice, and memories and steps are omitted.',
  ),
  startedAt: timestamp('When the run started.'),
  completedAt: nullableTimestamp('When the run ended. Null while it is running.'),
};

const stepToolCall = z
  .object({
    id: callId,
    tool: toolName,
    params,
    success: z.boolean().nullable().meta({ description: 'Whether the call succeeded. Null while it is running.' }),
    result: anyObject.nullable().meta({ description: 'The result of the call. Null while it is running.' }),
    durationMs: z
      .int()
      .nullable()
      .meta({ description: `${durationMs} Null while it is running.` }),
  })
  .meta({ id: 'RunStepToolCall', description: 'A tool that the model called in a step.' });

const step = z
  .object({
    number: z.int().min(1).meta({ description: 'The number of the step, counted from 1.' }),
    thought: z.string().nullable().meta({ description: 'What the agent planned, if the model reports it.' }),
    toolCalls: z.array(stepToolCall).meta({ description: 'The tools that the model called.' }),
    usage: tokensSchema,
    startedAt: timestamp('When the step started.'),
    completedAt: nullableTimestamp('When the step ended. Null while it is running.'),
  })
  .meta({ id: 'RunStep', description: 'One call of the model and the tools that it used.' });
const EXAMPLE = {
  id: exampleId('run'),
  agentId: exampleId('agent'),
  conversationId: exampleId('conversation'),
  status: 'completed',
  message: 'What is 17% of 2,340?',
  content: '17% * 2340 = 397.8.',
  model: 'builtin-extractive',
  usage: { promptTokens: 600, completionTokens: 20, totalTokens: 620 },
  limit: null,
  error: null,
  memories: [],
  withheld: false,
  startedAt: EXAMPLE_TIME,
  completedAt: '2026-11-21T10:00:01.000Z',
};

const runItemSchema = z.object(item).meta({
  id: 'RunItem',
  description: 'A run of an agent in a list.',
  examples: [EXAMPLE],
});

const runSchema = z
  .object({ ...item, steps: z.array(step).meta({ description: 'The steps of the run, in order.' }) })
  .meta({
    id: 'Run',
    description: 'A run of an agent with its steps. A step is one call of the model and the tools that it used.',
    examples: [{ ...EXAMPLE, steps: [] }],
  });

const runId = text('The id of the run.', exampleId('run'));
const conversationId = text('The id of the conversation.', exampleId('conversation'));

const events = {
  run_start: z.object({ runId, conversationId, model: text('The language model.'), memories }),
  iteration: z.object({
    number: z.int().min(1).meta({ description: 'The number of the iteration, counted from 1.' }),
    status: text('What the agent does in the iteration.', 'planning'),
  }),
  tool_call: z.object({ id: callId, tool: toolName, params }),
  tool_result: z.object({
    id: callId,
    tool: toolName,
    success: flag('Whether the call succeeded.'),
    result: anyObject.meta({ description: 'The result of the call.' }),
    durationMs: z.int().meta({ description: durationMs }),
  }),
  content: z.object({ content: text('The next piece of the reply.') }),
  run_complete: z.object({
    runId,
    conversationId,
    status,
    limit,
    stopReason: text('Why the model stopped.', 'end'),
    sources: sourcesSchema,
    usage: tokensSchema,
    answer_confidence: nullableConfidence,
  }),
};

const runParams = z.object({ id: idParam('agent'), runId: idParam('run') });

export const executeAgent = operation({
  id: 'executeAgent',
  method: 'post',
  path: '/api/v1/agents/{id}/execute/stream',
  summary: 'Run an agent',
  description: 'Sends a message to an agent and streams the steps of the run and the reply as Server-Sent Events.',
  access: 'secret',
  params: idParams('agent'),
  query: none,
  body: jsonBody(executeBody),
  success: 200,
  usage: 'agent_run',
  errors: ['upstream_error', 'conflict'],
  stream: { name: 'Run', events, terminal: 'run_complete', restartable: false },
});

export const listRuns = operation({
  id: 'listRuns',
  method: 'get',
  path: '/api/v1/agents/{id}/runs',
  summary: 'List runs',
  description: 'Lists the runs of an agent, newest first, without their steps.',
  access: 'secret',
  params: idParams('agent'),
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(runItemSchema)),
});

export const getRun = operation({
  id: 'getRun',
  method: 'get',
  path: '/api/v1/agents/{id}/runs/{runId}',
  summary: 'Get a run',
  description: 'Returns a run of an agent with its steps.',
  access: 'secret',
  params: runParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(runSchema),
});

export const cancelRun = operation({
  id: 'cancelRun',
  method: 'post',
  path: '/api/v1/agents/{id}/runs/{runId}/cancel',
  summary: 'Cancel a run',
  description: 'Stops a running agent. Returns 409 if the run has already ended.',
  access: 'secret',
  params: runParams,
  query: none,
  body: withoutBody,
  success: 200,
  errors: ['conflict'],
  response: one(runSchema),
});
