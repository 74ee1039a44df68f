import type { SourceDocument } from '@lectern/grounding';
import type { ChatEvent, ChatModel, ChatRequest, ToolCallEvent } from '@lectern/llm';
import { planCalls } from '#planner/plan-calls';
import { readQuestion } from '#planner/read-question';
import { type DoneCall, readRounds } from '#planner/read-rounds';
import { renderResults } from '#planner/render-results';

/**
 * Adds tool calls to the built-in extractive model. Rules call the tools that a question clearly
 * needs; the answer combines their output with quotes from documents. The rules do not interpret
 * the text of tool output, so it cannot trigger tool calls.
 */
export function createPlanner(model: ChatModel): ChatModel {
  return {
    ...model,
    info: { ...model.info, supportsTools: true },
    async *stream(request, options) {
      const { tools = [], messages } = request;
      const names = new Set(tools.map(({ name }) => name));
      if (names.size === 0) return yield* model.stream(request, options);
      options.signal.throwIfAborted();
      const { lastMessage, done } = readRounds(messages);
      const parts = readQuestion(request.question ?? lastMessage, names);
      const calls = planCalls(parts, names, done);
      if (calls.length === 0) return yield* answer(model, request, options, { parts, done });
      const events = calls.map(
        ({ tool, params }, at): ToolCallEvent => ({
          type: 'tool_call',
          id: `call_${done.length + at + 1}`,
          name: tool,
          input: params,
        }),
      );
      yield* events;
      const usage = {
        promptTokens: promptTokens(model, request),
        completionTokens: model.countTokens(JSON.stringify(calls)),
      };
      yield { type: 'end', stopReason: 'tool_calls', usage };
    },
  };
}

type Options = Parameters<ChatModel['stream']>[1];
type Read = { readonly parts: ReturnType<typeof readQuestion>; readonly done: readonly DoneCall[] };

/** Emits the results of tools, then the answer from documents. */
async function* answer(
  model: ChatModel,
  request: ChatRequest,
  options: Options,
  { parts, done }: Read,
): AsyncGenerator<ChatEvent, void, undefined> {
  const { paragraphs, askDocuments } = renderResults(parts, done);
  const rendered = paragraphs.join('\n\n');
  const used = promptTokens(model, request);
  if (rendered !== '') yield { type: 'text', delta: rendered };
  if (!askDocuments) {
    const usage = { promptTokens: used, completionTokens: model.countTokens(rendered) };
    yield { type: 'end', stopReason: 'end', usage };
    return;
  }
  const before = rendered === '' ? '' : '\n\n';
  if (before !== '') yield { type: 'text', delta: before };
  const offset = rendered.length + before.length;
  const sources = merged(done.flatMap((call) => call.sources));
  const question = parts.rest === '' ? (request.question ?? readRounds(request.messages).lastMessage) : parts.rest;
  for await (const event of model.stream({ ...request, question, sources, tools: [] }, options)) {
    if (event.type === 'citation') {
      yield { ...event, textStart: event.textStart + offset, textEnd: event.textEnd + offset };
    } else if (event.type === 'end') {
      const completionTokens = event.usage.completionTokens + model.countTokens(rendered);
      yield { ...event, usage: { promptTokens: used, completionTokens } };
    } else yield event;
  }
}

/** Returns each document once, in the version that was read first, because passage indices refer to it. */
function merged(sources: readonly SourceDocument[]): SourceDocument[] {
  const seen = new Map<string, SourceDocument>();
  for (const source of sources) if (!seen.has(source.id)) seen.set(source.id, source);
  return [...seen.values()];
}

/** Estimates the tokens of the request. */
function promptTokens(model: ChatModel, { system = '', messages, tools = [] }: ChatRequest): number {
  const texts = messages.flatMap((message) =>
    message.content.flatMap((part) => {
      if (part.type === 'text') return [part.text];
      if (part.type === 'tool_call') return [JSON.stringify(part.input)];
      if (part.type !== 'tool_result') return [];
      const passages = (part.sources ?? []).flatMap((source) => source.passages.map(({ text }) => text));
      return [part.content, ...passages];
    }),
  );
  return [system, JSON.stringify(tools), ...texts].reduce((sum, text) => sum + model.countTokens(text), 0);
}
