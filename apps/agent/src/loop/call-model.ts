import type { CitationEvent, StopReason } from '@lectern/grounding';
import type { AssistantMessage, ChatModel, ChatRequest, TokenUsage, ToolCallEvent } from '@lectern/llm';
import { AppError } from '@lectern/service-kit';
import type { LoopEvent } from '#loop/loop-event';

/**
 * Characters of a reply that are held back while it may still turn out to be what a model says before it calls tools. A reply that grows
 * longer is the answer, or the beginning of it.
 */
const HELD_CHARACTERS = 400;

/** What a model said in one call. */
export interface ModelTurn {
  /** What was passed on as part of the answer. */
  readonly content: string;
  /** What was held back and turned out to be no answer. */
  readonly thought: string;
  /** Of the part of the answer; offsets into `content`. */
  readonly citations: readonly CitationEvent[];
  readonly calls: readonly ToolCallEvent[];
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  /** The reply as the next request repeats it. */
  readonly message: AssistantMessage;
}

/** Calls a model once, and passes on as content what it says to the reader. `before` parts it from earlier content. */
export async function* callModel(
  model: ChatModel,
  request: ChatRequest,
  { before, signal }: { readonly before: string; readonly signal: AbortSignal },
): AsyncGenerator<LoopEvent, ModelTurn, undefined> {
  let text = '';
  let told = 0;
  const citations: CitationEvent[] = [];
  const calls: ToolCallEvent[] = [];
  function* tell(): Generator<LoopEvent> {
    if (told === text.length) return;
    const delta = text.slice(told);
    yield { type: 'content', delta: told === 0 ? `${before}${delta}` : delta };
    told = text.length;
  }
  const mayCall = (request.tools?.length ?? 0) > 0;
  for await (const event of model.stream(request, { signal })) {
    if (event.type === 'text') {
      text += event.delta;
      const isHeld = told === 0 && mayCall && text.length <= HELD_CHARACTERS;
      if (!isHeld) yield* tell();
    } else if (event.type === 'citation') citations.push(event);
    else if (event.type === 'tool_call') calls.push(event);
    else {
      const isThought = calls.length > 0 && told === 0;
      if (!isThought) yield* tell();
      const { stopReason, usage, message = asMessage(text, calls) } = event;
      const said = { calls, stopReason, usage, message };
      return isThought
        ? { ...said, content: '', thought: text.trim(), citations: [] }
        : { ...said, content: text, thought: '', citations };
    }
  }
  signal.throwIfAborted();
  throw new AppError('upstream_error', 'The model stopped in the middle of its reply. Try again.');
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
