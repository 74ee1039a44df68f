import type { CitationEvent } from '@lectern/grounding';
import type { ChatModel, ChatRequest, EndEvent } from '@lectern/llm';
import { AppError } from '@lectern/service-kit';
import { compareAhead } from '#turn/compare-ahead';
import type { TurnEvent } from '#turn/turn-event';

/** What a model has said. */
export interface Generated {
  readonly text: string;
  readonly citations: readonly CitationEvent[];
  readonly end: EndEvent;
}

/** Passes a model's text on as it comes, and answers with all of it. Throws what the model throws. */
export async function* generate(
  model: ChatModel,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, Generated, undefined> {
  const texts: string[] = [];
  const citations: CitationEvent[] = [];
  let writing = true;
  try {
    for await (const event of model.stream(request, { signal })) {
      if (event.type === 'text') {
        if (texts.length === 0) compareAhead(request, () => writing);
        texts.push(event.delta);
        yield { type: 'content_delta', delta: event.delta };
      } else if (event.type === 'citation') citations.push(event);
      else if (event.type === 'end') return { text: texts.join(''), citations, end: event };
    }
  } finally {
    writing = false;
  }
  throw new AppError('upstream_error', 'The model stopped in the middle of its reply. Try again.');
}
