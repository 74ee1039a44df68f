import type { ChatMessage, ReplyOptions } from '@lectern/llm';
import { type HistoryMessage, readHistory } from '#conversations/read-history';
import { documentsOfReply, documentsShown } from '#sources/documents-of-reply';
import { indexingReader } from '#sources/read-indexing';
import { SHAPE_PLANS } from '#sources/shape-plan';
import { citedSources } from '#turn/cited-sources';
import { contentText, fitContext } from '#turn/fit-context';
import { generateVerified } from '#turn/generate-verified';
import { lookUp } from '#turn/look-up';
import type { PreparedTurn } from '#turn/prepare-turn';
import { withoutDocuments } from '#turn/system-prompt';
import type { TurnEvent, TurnReply } from '#turn/turn-event';
import type { TurnDeps } from '#turn/turn-request';

/** What an answer depends on, apart from how it is stored. */
export type AnswerDeps = Pick<TurnDeps, 'db' | 'log' | 'services' | 'shown' | 'signal'>;

/** A validated question in its conversation. */
export type PreparedQuestion = Pick<
  PreparedTurn,
  'conversationId' | 'before' | 'message' | 'request' | 'model' | 'maxTokens' | 'system' | 'scope' | 'ahead'
> & {
  /** The messages before the question. Default: those of the conversation. */
  readonly earlier?: readonly HistoryMessage[];
  /** Tool calls and their results after the question. */
  readonly following?: readonly ChatMessage[];
  readonly options?: ReplyOptions;
};

/** Understand → retrieve → budget → generate → verify → score. */
export async function* answer(
  deps: AnswerDeps,
  turn: PreparedQuestion,
): AsyncGenerator<TurnEvent, TurnReply, undefined> {
  const { log, signal, shown, services } = deps;
  const { model, maxTokens, system, message, following = [] } = turn;
  const earlier = turn.earlier ?? (await readHistory(deps, turn.conversationId, turn.before));
  const { question, classification, sources: pending } = turn.ahead ?? lookUp(deps, earlier, message, turn.scope);
  const { shape } = classification;
  const found = await pending;
  const { historyShare } = SHAPE_PLANS[shape];
  const { sources, history } = fitContext({
    model,
    maxTokens,
    system,
    message: [message, ...following.map(contentText)].join('\n'),
    sources: found,
    history: earlier,
    historyShare,
  });
  const inPrompt = new Set<unknown>(history);
  const included = earlier.filter((entry) => inPrompt.has(entry));
  for (const id of documentsShown(sources, included)) shown.add(id);
  const asked: ChatMessage = { role: 'user', content: [{ type: 'text', text: message }] };
  const messages = [...history, asked, ...following];
  const indexing = indexingReader(deps, turn.scope);
  const isUnfounded = sources.length === 0 && shape !== 'conversational' && model.info.provider !== 'builtin';
  const request = {
    ...turn.options,
    system: isUnfounded ? withoutDocuments(system, question, await indexing(), services.language) : system,
    messages,
    question,
    sources,
    maxTokens,
    shape,
    indexing,
    language: services.language,
  };
  const reply = yield* generateVerified(
    { model, request, shape: classification, tokenLimit: turn.request.maxTokens ?? model.info.maxOutput, log },
    signal,
  );
  const { text, citations, usage, calls, stopReason } = reply;
  const { score, label, signals } = reply.confidence;
  const { promptTokens, completionTokens } = usage;
  const cited = citedSources(citations, sources);
  const documents = await documentsOfReply(text, cited, sources, included);
  return {
    content: text,
    sources: cited,
    documents,
    // The built-in model only quotes. Others paraphrase and translate, which cannot be traced.
    shownDocuments: model.info.provider === 'builtin' ? documents : [...shown],
    confidence: { score, label, signals },
    usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    model: model.id,
    steps: [],
    citations,
    calls,
    stopReason,
  };
}
