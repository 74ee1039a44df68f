import { type Run, RunStatus, type RunStep } from '@lectern/contracts';
import { z } from 'zod';
import { anyObject, timestamp } from '#http/answer-schema';
import { enumText } from '#http/enum-text';
import { time } from '#http/time';
import { usage, usageSchema } from '#operations/chat/view';

/** A run as lists show it. */
export function runItem(run: Run) {
  return {
    id: run.id,
    agentId: run.agentId,
    conversationId: run.conversationId ?? null,
    status: enumText(RunStatus, run.status),
    message: run.message,
    content: run.content,
    model: run.model,
    usage: usage(run.usage),
    limit: run.limit ?? null,
    error: run.error === undefined ? null : { code: run.error.code, message: run.error.message },
    memories: run.memories,
    withheld: run.withheld,
    startedAt: time(run.startedAt),
    completedAt: run.completedAt === undefined ? null : time(run.completedAt),
  };
}

/** A run with its steps. */
export function runRecord(run: Run) {
  return { ...runItem(run), steps: run.steps.map(step) };
}

function step({ number, thought, toolCalls, usage: used, startedAt, completedAt }: RunStep) {
  return {
    number,
    thought: thought === '' ? null : thought,
    toolCalls: toolCalls.map(({ id, tool, params, success, result, durationMs }) => ({
      id,
      tool,
      params: params ?? {},
      success: success ?? null,
      result: result ?? null,
      durationMs: durationMs ?? null,
    })),
    usage: usage(used),
    startedAt: time(startedAt),
    completedAt: completedAt === undefined ? null : time(completedAt),
  };
}

export const runStatusSchema = z.enum(['running', 'completed', 'limited', 'cancelled', 'failed', 'timed_out']);

export const memorySchema = z.object({ id: z.string(), kind: z.string(), content: z.string(), score: z.number() });

const item = {
  id: z.string(),
  agentId: z.string(),
  conversationId: z.string().nullable(),
  status: runStatusSchema,
  message: z.string(),
  content: z.string().meta({ description: 'The answer, or what had been said of it when the run ended' }),
  model: z.string(),
  usage: usageSchema,
  limit: z.string().nullable().meta({ description: 'The cap that ended a limited run' }),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  memories: z.array(memorySchema),
  withheld: z.boolean().meta({
    description:
      'True if the run read documents that were deleted or that you can no longer read. `content` then contains a notice, and memories and steps are omitted',
  }),
  startedAt: timestamp,
  completedAt: timestamp.nullable(),
};
const stepSchema = z.object({
  number: z.int().min(1),
  thought: z.string().nullable(),
  toolCalls: z.array(
    z.object({
      id: z.string(),
      tool: z.string(),
      params: anyObject,
      success: z.boolean().nullable(),
      result: anyObject.nullable(),
      durationMs: z.int().nullable(),
    }),
  ),
  usage: usageSchema,
  startedAt: timestamp,
  completedAt: timestamp.nullable(),
});
const EXAMPLE = {
  id: 'run_01h455vb4pex5vsknk084sn02q',
  agentId: 'agt_01h455vb4pex5vsknk084sn02q',
  conversationId: 'conv_01h455vb4pex5vsknk084sn02q',
  status: 'completed',
  message: 'What is 17% of 2,340?',
  content: '17% * 2340 = 397.8.',
  model: 'builtin-extractive',
  usage: { promptTokens: 600, completionTokens: 20, totalTokens: 620 },
  limit: null,
  error: null,
  memories: [],
  withheld: false,
  startedAt: '2026-11-21T10:00:00.000Z',
  completedAt: '2026-11-21T10:00:01.000Z',
};

export const runItemSchema = z.object(item).meta({
  id: 'RunItem',
  description: 'A run of an agent as lists show it',
  examples: [EXAMPLE],
});

export const runRecordSchema = z.object({ ...item, steps: z.array(stepSchema) }).meta({
  id: 'Run',
  description: 'A run of an agent with its steps: each call of the model and the tools it asked for',
  examples: [{ ...EXAMPLE, steps: [] }],
});
