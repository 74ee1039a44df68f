import type { ChatEvent, Confidence, Message, Source, Usage } from '#api/types.ts';
import { addStep, isAgentEvent, type Step } from '#pages/chat/step.ts';

/** A complete or partial reply. */
export interface Reply {
  readonly id: string;
  readonly content: string;
  readonly sources: readonly Source[];
  readonly confidence: Confidence | undefined;
  readonly usage: Usage | undefined;
  readonly steps: readonly Step[];
}

export const EMPTY_REPLY: Reply = {
  id: '',
  content: '',
  sources: [],
  confidence: undefined,
  usage: undefined,
  steps: [],
};

/** Converts a stored message. */
export function storedReply({ id, content, sources, answer_confidence, usage }: Message): Reply {
  return {
    id,
    content,
    // Always the same array, so that memoized components do not render again.
    sources: sources ?? EMPTY_REPLY.sources,
    confidence: answer_confidence ?? undefined,
    usage,
    steps: [],
  };
}

/** Adds an event to a reply. */
export function addEvent(reply: Reply, event: ChatEvent): Reply {
  if (isAgentEvent(event)) return { ...reply, steps: addStep(reply.steps, event) };
  switch (event.event) {
    case 'message_start':
      return { ...reply, id: event.data.id };
    case 'content_delta':
      return { ...reply, content: reply.content + event.data.delta };
    case 'sources':
      return { ...reply, sources: event.data.sources };
    case 'message_end':
      return { ...reply, usage: event.data.usage, confidence: event.data.answer_confidence ?? undefined };
  }
}
