import { findMarkers } from '@lectern/grounding';
import type { ChatModel } from '@lectern/llm';
import { invalidRequest, newId, requireAgents } from '@lectern/service-kit';
import { type CompletionRequest, requireQuestionLength } from '#completions/completion-request';
import { type CompletionReply, saveCompletion, toolCallOf } from '#completions/completion-store';
import { readConversation } from '#completions/conversation';
import { resolveSearchScope } from '#sources/search-scope';
import { answer } from '#turn/answer';
import { answerByAgent } from '#turn/answer-by-agent';
import { contextBudget } from '#turn/fit-context';
import { lookUp } from '#turn/look-up';
import { systemPrompt } from '#turn/system-prompt';
import type { TurnEvent, TurnReply } from '#turn/turn-event';
import type { TurnDeps } from '#turn/turn-request';

type CompletionDeps = Pick<TurnDeps, 'db' | 'log' | 'models' | 'services' | 'caller' | 'shown' | 'signal'>;

/** An event of a completion. Unlike a turn, it can end with tool calls, which have no confidence. */
export type CompletionEvent =
  | TurnEvent
  | ({ readonly type: 'cited' } & Pick<CompletionReply, 'sources' | 'marks'>)
  | { readonly type: 'tool_calls'; readonly calls: CompletionReply['calls'] }
  | ({ readonly type: 'completion_end' } & Omit<CompletionReply, 'content' | 'calls' | 'sources' | 'marks'> & {
        readonly documents: readonly string[];
      });

/** Throws `invalid_request` for options that the model does not support. */
function requireOptions({ id, info }: ChatModel, { options }: CompletionRequest): void {
  const unsupported = (path: string) =>
    invalidRequest([{ path, message: `is not supported by the model ${id}. Use another model` }]);
  const { toolChoice, format, stop } = options;
  if (!info.supportsTools && (toolChoice === 'required' || typeof toolChoice === 'object')) {
    throw unsupported('tool_choice');
  }
  if (info.provider !== 'builtin') return;
  if (format !== undefined) throw unsupported('response_format');
  if (stop !== undefined) throw unsupported('stop');
}

const USES_TOOLS = 'The results of tools are sources too. Call a tool if the given sources do not contain the answer.';

function instructionsOf({ instructions, options }: CompletionRequest): string | undefined {
  const parts = [instructions, options.tools === undefined ? '' : USES_TOOLS].filter((part) => part.trim() !== '');
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

/**
 * Answers a conversation that the client sent, and stores the reply if the client asked for it. Throws
 * validation errors before the first event.
 */
export async function* runCompletion(
  deps: CompletionDeps,
  request: CompletionRequest,
): AsyncGenerator<CompletionEvent, void, undefined> {
  const { models, services, caller, shown } = deps;
  const { agentId, options, collections } = request;
  if (agentId !== undefined) requireAgents(caller);
  const model = await models.get(request.model);
  requireOptions(model, request);
  const { question: message, ...conversation } = await readConversation(deps, request);
  requireQuestionLength(message, agentId);
  const maxTokens = Math.min(request.maxTokens ?? model.info.defaultMaxOutput, model.info.maxOutput);
  const agent = agentId === undefined ? undefined : await services.getAgent(agentId);
  const system = systemPrompt(instructionsOf(request));
  contextBudget({ model, maxTokens, system, message });
  const scope = await resolveSearchScope(services, collections, agent);
  for (const id of conversation.documents) shown.add(id);

  const id = newId('message');
  const stored = {
    collections: [...collections],
    ...(request.model === undefined ? {} : { model: request.model }),
    ...(request.maxTokens === undefined ? {} : { maxTokens }),
  };
  const turn = {
    conversationId: '',
    before: 0,
    message,
    request: stored,
    model,
    maxTokens,
    system,
    scope,
    ...conversation,
  };
  const isQuestion = agentId === undefined;
  const ahead = isQuestion ? lookUp(deps, conversation.earlier, message, scope) : undefined;
  const { tools, ...withoutTools } = options;
  const usable = tools === undefined || !model.info.supportsTools ? withoutTools : { ...withoutTools, tools };
  yield { type: 'message_start', id, conversationId: '' };
  const reply = yield* agentId === undefined
    ? answer(deps, { ...turn, ahead, options: usable })
    : answerByAgent(deps, { ...turn, ...givenTo(request, message) }, agentId);
  yield* end(deps, request, id, reply, conversation.documents);
}

/** An agent has its own instructions, so those of the client become part of the message. */
const givenTo = ({ instructions }: CompletionRequest, message: string) =>
  instructions.trim() === '' ? {} : { given: `${instructions}\n\n${message}` };

/** Returns where the content cites its sources. */
function marksOf({ content, citations, sources }: TurnReply): CompletionReply['marks'] {
  const cited = new Map(citations.map(({ marker, sourceId }) => [marker, sourceId]));
  return findMarkers(content, citations).flatMap(({ marker, start, end }) => {
    const source = sources.findIndex(({ id }) => id === cited.get(marker));
    return source === -1 ? [] : [{ source, start, end }];
  });
}

async function* end(
  { db, caller }: CompletionDeps,
  request: CompletionRequest,
  id: string,
  reply: TurnReply,
  documents: readonly string[],
): AsyncGenerator<CompletionEvent, void, undefined> {
  const { content, sources, confidence, usage, model, stopReason } = reply;
  const calls = reply.calls.map(toolCallOf);
  const isAnswer = calls.length === 0 && request.options.format === undefined;
  const last = { usage, model, stopReason, ...(isAnswer ? { confidence } : {}) };
  const based = [...new Set([...reply.documents, ...documents])];
  const cited = { sources: [...sources], marks: isAnswer ? marksOf(reply) : [] };
  if (request.store) {
    const { previousId, messages, details } = request;
    const stored = { content, calls, ...cited, ...last };
    await saveCompletion(db, caller, { id, previousId, messages, details, reply: stored, documents: based });
  }
  if (calls.length > 0) yield { type: 'tool_calls', calls };
  yield { type: 'cited', ...cited };
  for (const { event } of reply.steps) if (event.$case === 'completed') yield { type: 'run', event };
  yield { type: 'completion_end', ...last, documents: based };
}
