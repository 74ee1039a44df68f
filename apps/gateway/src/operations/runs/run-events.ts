import type { ChatEvent, RunEvent, Source } from '@lectern/contracts';
import { RunStatus } from '@lectern/contracts';
import { z } from 'zod';
import type { StreamEvent } from '#http/answer';
import { anyObject } from '#http/answer-schema';
import { enumText } from '#http/enum-text';
import { confidence, confidenceSchema, source, sourcesSchema, usage, usageSchema } from '#operations/chat/view';
import { memorySchema, runStatusSchema } from '#operations/runs/view';

type Value<Case extends string> = Extract<NonNullable<RunEvent['event']>, { $case: Case }>['value'];

/** What has been told of a run so far that its last event repeats. */
interface Told {
  conversationId: string;
  runId: string;
  sources: readonly Source[];
  completed: Value<'completed'> | undefined;
}

function stepEvent({ event }: RunEvent, told: Told): StreamEvent | undefined {
  switch (event?.$case) {
    case 'started': {
      const { runId, model, memories } = event.value;
      told.runId = runId;
      return { event: 'run_start', data: { runId, conversationId: told.conversationId, model, memories } };
    }
    case 'iteration':
      return { event: 'iteration', data: { number: event.value.number, status: event.value.status } };
    case 'toolCall': {
      const { id, tool, params } = event.value;
      return { event: 'tool_call', data: { id, tool, params: params ?? {} } };
    }
    case 'toolResult': {
      const { id, tool, success, result, durationMs } = event.value;
      return { event: 'tool_result', data: { id, tool, success, result: result ?? {}, durationMs } };
    }
    case 'completed':
      told.completed = event.value;
      return undefined;
    default:
      return undefined;
  }
}

function runEvent({ event }: ChatEvent, told: Told): StreamEvent | undefined {
  switch (event?.$case) {
    case 'messageStart':
      told.conversationId = event.value.conversationId;
      return undefined;
    case 'run':
      return stepEvent(event.value, told);
    case 'contentDelta':
      return { event: 'content', data: { content: event.value.delta } };
    case 'sources':
      told.sources = event.value.sources;
      return undefined;
    case 'messageEnd': {
      const { runId, conversationId, completed } = told;
      const { status = RunStatus.COMPLETED, limit, stopReason = 'end' } = completed ?? {};
      return {
        event: 'run_complete',
        data: {
          runId,
          conversationId,
          status: enumText(RunStatus, status),
          limit: limit ?? null,
          stopReason,
          sources: told.sources.map(source),
          usage: usage(event.value.usage),
          answer_confidence: confidence(event.value.answerConfidence),
        },
      };
    }
    default:
      return undefined;
  }
}

/** The events of a reply by an agent, as an execution tells them. */
export async function* runEvents(events: AsyncIterable<ChatEvent>): AsyncGenerator<StreamEvent> {
  const told: Told = { conversationId: '', runId: '', sources: [], completed: undefined };
  for await (const event of events) {
    const mapped = runEvent(event, told);
    if (mapped !== undefined) yield mapped;
  }
}

/** What each event's data holds. */
export const runEventSchemas = {
  run_start: z.object({
    runId: z.string(),
    conversationId: z.string(),
    model: z.string(),
    memories: z.array(memorySchema).meta({ description: 'What the agent remembers that fits the message' }),
  }),
  iteration: z.object({ number: z.int().min(1), status: z.string() }),
  tool_call: z.object({ id: z.string(), tool: z.string(), params: anyObject }),
  tool_result: z.object({
    id: z.string().meta({ description: 'Of the call' }),
    tool: z.string(),
    success: z.boolean(),
    result: anyObject,
    durationMs: z.int(),
  }),
  content: z.object({ content: z.string().meta({ description: 'The next piece of the answer' }) }),
  run_complete: z.object({
    runId: z.string(),
    conversationId: z.string(),
    status: runStatusSchema,
    limit: z.string().nullable().meta({ description: 'The cap that ended a limited run' }),
    stopReason: z.string(),
    sources: sourcesSchema,
    usage: usageSchema,
    answer_confidence: confidenceSchema.nullable(),
  }),
};
