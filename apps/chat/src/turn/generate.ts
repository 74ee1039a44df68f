import type { CitationEvent } from '@lectern/grounding';
import type { ChatModel, ChatRequest, EndEvent, ToolCallEvent } from '@lectern/llm';
import { AppError } from '@lectern/service-kit';
import { precomputeEvidence } from '#turn/precompute-evidence';
import type { TurnEvent } from '#turn/turn-event';

/** A model's finished output. */
export interface Generated {
  readonly text: string;
  readonly citations: readonly CitationEvent[];
  readonly calls: readonly ToolCallEvent[];
  readonly end: EndEvent;
}

/** Streams a model's text and returns all of it. Throws what the model throws. */
export async function* generate(
  model: ChatModel,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, Generated, undefined> {
  const texts: string[] = [];
  const citations: CitationEvent[] = [];
  const calls: ToolCallEvent[] = [];
  let isWriting = true;
  try {
    for await (const event of model.stream(request, { signal })) {
      if (event.type === 'text') {
        if (texts.length === 0) precomputeEvidence(request, () => isWriting);
        texts.push(event.delta);
        yield { type: 'content_delta', delta: event.delta };
      } else if (event.type === 'citation') citations.push(event);
      else if (event.type === 'tool_call') calls.push(event);
      else if (event.type === 'end') return { text: texts.join(''), citations, calls, end: event };
    }
  } finally {
    isWriting = false;
  }
  throw new AppError('upstream_error', 'The model stopped before it finished its reply. Try again.');
}
