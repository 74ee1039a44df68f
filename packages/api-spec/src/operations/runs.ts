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
  integer,
  nullableTimestamp,
  ownId,
  pageQuery,
  recordId,
  text,
  timestamp,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { runSettings } from '#operations/agents';
import { approvalDecided, approvalStatus, decisionText, pendingApproval } from '#operations/approval-events';
import { chatBody, nullableConfidence, sourcesSchema, tokensSchema } from '#operations/chat';

const executeBody = chatBody
  .omit({ agentId: true })
  .extend({ settings: runSettings.optional() })
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
  scheduleId: recordId('schedule')
    .nullable()
    .meta({ description: 'The schedule that started the run. Null for none.' }),
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
  pendingApprovals: integer('The number of tool calls that wait for an approval.'),
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
  scheduleId: null,
  status: 'completed',
  message: 'What is 17% of 2,340?',
  content: '17% * 2340 = 397.8.',
  model: 'builtin-extractive',
  usage: { promptTokens: 600, completionTokens: 20, totalTokens: 620 },
  limit: null,
  error: null,
  memories: [],
  withheld: false,
  pendingApprovals: 0,
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
  pending_approval: pendingApproval,
  approval_decided: approvalDecided,
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
  body: jsonBody(executeBody, 'MAX_JSON_BYTES'),
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

const approvalSchema = z
  .object({
    id: ownId('approval'),
    agentId: recordId('agent'),
    runId: recordId('run'),
    tool: toolName,
    params: anyObject.meta({ description: 'The arguments, exactly as the tool gets them.' }),
    status: approvalStatus,
    decidedBy: z
      .string()
      .nullable()
      .meta({ description: 'The address of the person or the id of the key that decided. Null if no one did.' }),
    reason: z.string().nullable().meta({ description: 'The reason of the decision. Null without one.' }),
    createdAt: timestamp('When the call began to wait.'),
    expiresAt: timestamp('When the wait ends.'),
    decidedAt: nullableTimestamp('When the wait ended. Null while it is pending.'),
    calledAt: nullableTimestamp('When the approved call was sent. Null if it was not.'),
  })
  .meta({
    id: 'Approval',
    description: 'A tool call that changes something, and what a person decided about it.',
    examples: [
      {
        id: exampleId('approval'),
        agentId: exampleId('agent'),
        runId: exampleId('run'),
        tool: 'shop__refundOrder',
        params: { orderId: '1042', body: { amount: 40 } },
        status: 'pending',
        decidedBy: null,
        reason: null,
        createdAt: EXAMPLE_TIME,
        expiresAt: '2026-11-21T10:10:00.000Z',
        decidedAt: null,
        calledAt: null,
      },
    ],
  });

const decisionBody = z
  .strictObject({
    decision: z
      .enum(['approve', 'deny'])
      .meta({ id: 'ApprovalDecision', description: 'Whether the call may be executed.' }),
    reason: decisionText.optional(),
  })
  .meta({ examples: [{ decision: 'approve' }] });

export const listApprovals = operation({
  id: 'listApprovals',
  method: 'get',
  path: '/api/v1/agents/{id}/runs/{runId}/approvals',
  summary: 'List the approvals of a run',
  description:
    'Lists the tool calls of a run that waited for an approval, in order. Those with the status `pending` wait now. The list is empty if the run is withheld.',
  access: 'secret',
  params: runParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(
    z.array(approvalSchema).meta({ id: 'Approvals', description: 'The approvals of a run.', examples: [[]] }),
  ),
});

export const listWaitingApprovals = operation({
  id: 'listWaitingApprovals',
  method: 'get',
  path: '/api/v1/approvals',
  summary: 'List waiting approvals',
  description:
    'Lists the tool calls of all agents that wait for your decision, those that expire first at the top. At most 100. Runs that are withheld are left out.',
  access: 'secret',
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(
    z.array(approvalSchema).meta({
      id: 'WaitingApprovals',
      description: 'The approvals that wait for your decision.',
      examples: [[]],
    }),
  ),
});

export const decideApproval = operation({
  id: 'decideApproval',
  method: 'post',
  path: '/api/v1/agents/{id}/runs/{runId}/approvals/{approvalId}',
  summary: 'Approve or deny a tool call',
  description:
    'Decides about a tool call that waits. The person or the key that started the run can decide, and editors and unrestricted keys. The same decision can be repeated; another one, or one that is too late, returns 409.',
  access: 'secret',
  params: runParams.extend({ approvalId: idParam('approval') }),
  query: none,
  body: jsonBody(decisionBody),
  success: 200,
  errors: ['conflict'],
  response: one(approvalSchema),
});
