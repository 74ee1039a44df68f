import type { ChatEvent, RunEvent } from '@lectern/contracts';
import type { StreamEvent } from '#http/api-response';
import { approvalDecided, pendingApproval } from '#operations/approvals/mapping';
import { confidence, source, usage } from '#operations/chat/mapping';

/** Converts an event of an agent run. A chat stream includes only some of them. */
function agentEvent({ event }: RunEvent): StreamEvent | undefined {
  switch (event?.$case) {
    case 'iteration':
      return { event: 'agent_start', data: { iteration: event.value.number } };
    case 'toolCall':
      return { event: 'tool_call', data: { tool: event.value.tool, params: event.value.params ?? {} } };
    case 'toolResult':
      return { event: 'tool_result', data: { tool: event.value.tool, result: event.value.result ?? {} } };
    case 'pendingApproval':
      return { event: 'pending_approval', data: pendingApproval(event.value) };
    case 'approvalDecided':
      return { event: 'approval_decided', data: approvalDecided(event.value) };
    case 'thinking':
      return { event: 'agent_thinking', data: { thought: event.value.thought } };
    default:
      return undefined;
  }
}

function chatEvent({ event }: ChatEvent): StreamEvent | undefined {
  switch (event?.$case) {
    case 'messageStart':
      return { event: 'message_start', data: { id: event.value.id, conversationId: event.value.conversationId } };
    case 'contentDelta':
      return { event: 'content_delta', data: { delta: event.value.delta } };
    case 'sources':
      return { event: 'sources', data: { sources: event.value.sources.map(source) } };
    case 'messageEnd': {
      const { usage: used, answerConfidence } = event.value;
      return { event: 'message_end', data: { usage: usage(used), answer_confidence: confidence(answerConfidence) } };
    }
    case 'run':
      return agentEvent(event.value);
    default:
      // An event that this version does not know.
      return undefined;
  }
}

/** Converts the events of a reply. */
export async function* chatEvents(events: AsyncIterable<ChatEvent>): AsyncGenerator<StreamEvent> {
  for await (const event of events) {
    const mapped = chatEvent(event);
    if (mapped !== undefined) yield event.id === '' ? mapped : { ...mapped, id: event.id };
  }
}
