import type { CitationEvent, StopReason } from '@lectern/grounding';
import type { AssistantMessage, ChatModel, ChatRequest, TokenUsage, ToolCallEvent } from '@lectern/llm';
import { AppError } from '@lectern/service-kit';
import type { LoopEvent } from '#loop/loop-event';

/**
 * The first characters of a reply are buffered, because they can turn out to be a comment before
 * tool calls. A longer text is the start of the answer.
 */
const MAX_BUFFERED = 400;

/** The output of one call to the model. */
export interface ModelTurn {
  /** The text that was emitted as part of the answer. */
  readonly content: string;
  /** The buffered text that turned out not to be part of the answer. */
  readonly thought: string;
  /** Citations in `content`, with offsets into it. */
  readonly citations: readonly CitationEvent[];
  readonly calls: readonly ToolCallEvent[];
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  /** The reply as a message of the next request. */
  readonly message: AssistantMessage;
}

/**
 * Calls a model once and emits its answer as content. `separator` separates it from earlier
 * content.
 */
export async function* callModel(
  model: ChatModel,
  request: ChatRequest,
  { separator, signal }: { readonly separator: string; readonly signal: AbortSignal },
): AsyncGenerator<LoopEvent, ModelTurn, undefined> {
  let text = '';
  let sentLength = 0;
  const citations: CitationEvent[] = [];
  const calls: ToolCallEvent[] = [];
  function* send(): Generator<LoopEvent> {
    if (sentLength === text.length) return;
    const delta = text.slice(sentLength);
    yield { type: 'content', delta: sentLength === 0 ? `${separator}${delta}` : delta };
    sentLength = text.length;
  }
  const canCall = (request.tools?.length ?? 0) > 0;
  for await (const event of model.stream(request, { signal })) {
    if (event.type === 'text') {
      text += event.delta;
      const isBuffered = sentLength === 0 && canCall && text.length <= MAX_BUFFERED;
      if (!isBuffered) yield* send();
    } else if (event.type === 'citation') citations.push(event);
    else if (event.type === 'tool_call') calls.push(event);
    else {
      const isThought = calls.length > 0 && sentLength === 0;
      if (!isThought) yield* send();
      const { stopReason, usage, message = asMessage(text, calls) } = event;
      const turn = { calls, stopReason, usage, message };
      return isThought
        ? { ...turn, content: '', thought: text.trim(), citations: [] }
        : { ...turn, content: text, thought: '', citations };
    }
  }
  signal.throwIfAborted();
  throw new AppError('upstream_error', 'The model stopped before it finished its reply. Try again.');
}

function asMessage(text: string, calls: readonly ToolCallEvent[]): AssistantMessage {
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map((call) => ({ ...call, type: 'tool_call' as const })),
    ],
  };
}
