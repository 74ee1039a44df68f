import type { RunEvent } from '@lectern/contracts';
import type { CitationEvent, SourceDocument } from '@lectern/grounding';
import type { ChatModel } from '@lectern/llm';
import { STATUSES } from '#approvals/approval-rows';
import type { LoopEvent, LoopOutcome } from '#loop/loop-event';
import type { Recalled } from '#memories/memories';
import type { RunEnding } from '#runs/run-store';
import { toStatus, toUsage } from '#runs/to-run';

/** Returns the first event of a run. */
export const startedEvent = (runId: string, model: ChatModel, memories: readonly Recalled[]): RunEvent => ({
  event: { $case: 'started', value: { runId, model: model.id, memories: [...memories] } },
});

interface RunIds {
  readonly runId: string;
  readonly agentId: string;
}

/** Converts an event to its contract form. Undefined for events that are only stored. */
export function toRunEvent(event: LoopEvent, { runId, agentId }: RunIds): RunEvent | undefined {
  switch (event.type) {
    case 'iteration':
      return {
        event: {
          $case: 'iteration',
          value: {
            number: event.number,
            status: event.status,
            documents: [...event.documents],
            usage: toUsage(event.used),
          },
        },
      };
    case 'thinking':
      return { event: { $case: 'thinking', value: { thought: event.thought } } };
    case 'tool_call': {
      const { id, tool, params } = event;
      return { event: { $case: 'toolCall', value: { id, tool, params } } };
    }
    case 'tool_result': {
      const { id, tool, success, result, durationMs } = event;
      const documents = [...event.documents];
      return { event: { $case: 'toolResult', value: { id, tool, success, result, durationMs, documents } } };
    }
    case 'pending_approval': {
      const { type: _type, ...value } = event;
      return { event: { $case: 'pendingApproval', value: { ...value, runId, agentId } } };
    }
    case 'approval_decided': {
      const { approvalId, tool, status } = event;
      return { event: { $case: 'approvalDecided', value: { approvalId, tool, status: STATUSES[status] } } };
    }
    case 'content':
      return { event: { $case: 'content', value: { delta: event.delta } } };
    case 'step':
      return undefined;
  }
}

/** Returns the last event of a finished run. */
export function completedEvent(
  model: ChatModel,
  { status, limit, content, usage }: RunEnding,
  { stopReason, citations, sources }: Pick<LoopOutcome, 'stopReason' | 'citations' | 'sources'>,
): RunEvent {
  return {
    event: {
      $case: 'completed',
      value: {
        status: toStatus(status),
        limit,
        content,
        usage: toUsage(usage),
        model: model.id,
        stopReason,
        citations: citations.map(toCitation),
        sources: sources.map(toSource),
      },
    },
  };
}

const toCitation = ({ marker, sourceId, passageIndex, quote, textStart, textEnd }: CitationEvent) => ({
  marker,
  documentId: sourceId,
  passageIndex,
  quote,
  textStart,
  textEnd,
});

const toSource = ({ id, title, url, passages }: SourceDocument) => ({
  documentId: id,
  title,
  url,
  passages: passages.map(({ text, heading = '', start, end, score = 0 }) => ({ text, heading, start, end, score })),
});
