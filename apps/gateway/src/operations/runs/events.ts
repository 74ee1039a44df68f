import type { ChatEvent, RunEvent, Source } from '@lectern/contracts';
import { RunStatus } from '@lectern/contracts';
import type { StreamEvent } from '#http/api-response';
import { approvalDecided, pendingApproval } from '#operations/approvals/mapping';
import { confidence, source, usage } from '#operations/chat/mapping';
import { enumText } from '#operations/convert';

type Value<Case extends string> = Extract<NonNullable<RunEvent['event']>, { $case: Case }>['value'];

/** Facts of earlier events that the last event repeats. */
interface RunSoFar {
  conversationId: string;
  runId: string;
  sources: readonly Source[];
  completed: Value<'completed'> | undefined;
}

function stepEvent({ event }: RunEvent, run: RunSoFar): StreamEvent | undefined {
  switch (event?.$case) {
    case 'started': {
      const { runId, model, memories } = event.value;
      run.runId = runId;
      return { event: 'run_start', data: { runId, conversationId: run.conversationId, model, memories } };
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
    case 'pendingApproval':
      return { event: 'pending_approval', data: pendingApproval(event.value) };
    case 'approvalDecided':
      return { event: 'approval_decided', data: approvalDecided(event.value) };
    case 'completed':
      run.completed = event.value;
      return undefined;
    default:
      return undefined;
  }
}

function runEvent({ event }: ChatEvent, run: RunSoFar): StreamEvent | undefined {
  switch (event?.$case) {
    case 'messageStart':
      run.conversationId = event.value.conversationId;
      return undefined;
    case 'run':
      return stepEvent(event.value, run);
    case 'contentDelta':
      return { event: 'content', data: { content: event.value.delta } };
    case 'sources':
      run.sources = event.value.sources;
      return undefined;
    case 'messageEnd': {
      const { runId, conversationId, completed } = run;
      const { status = RunStatus.COMPLETED, limit, stopReason = 'end' } = completed ?? {};
      return {
        event: 'run_complete',
        data: {
          runId,
          conversationId,
          status: enumText(RunStatus, status),
          limit: limit ?? null,
          stopReason,
          sources: run.sources.map(source),
          usage: usage(event.value.usage),
          answer_confidence: confidence(event.value.answerConfidence),
        },
      };
    }
    default:
      return undefined;
  }
}

/** Converts the events of a chat reply to those of an agent run. */
export async function* runEvents(events: AsyncIterable<ChatEvent>): AsyncGenerator<StreamEvent> {
  const run: RunSoFar = { conversationId: '', runId: '', sources: [], completed: undefined };
  for await (const event of events) {
    const mapped = runEvent(event, run);
    if (mapped !== undefined) yield mapped;
  }
}
