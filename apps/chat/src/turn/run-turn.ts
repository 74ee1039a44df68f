import { scoreAnswer } from '@lectern/llm';
import { AppError } from '@lectern/service-kit';
import { readHistory } from '#conversations/read-history';
import { saveTurn } from '#conversations/save-turn';
import type { StoredReply } from '#conversations/stored-reply';
import { gatherSources } from '#sources/gather-sources';
import { citedSources } from '#turn/cited-sources';
import { fitContext } from '#turn/fit-context';
import { generate } from '#turn/generate';
import { type PreparedTurn, prepareTurn } from '#turn/prepare-turn';
import { SHAPE_PLANS } from '#turn/shape-plan';
import type { TurnEvent } from '#turn/turn-event';
import type { TurnDeps, TurnRequest } from '#turn/turn-request';
import { understand } from '#turn/understand';

/**
 * One turn of a conversation, as events. Refusals are thrown before the first event. The turn is stored, message and reply together, once
 * the model has said its last word and before `sources` and `message_end` are told; a turn that fails or is ended earlier stores nothing.
 */
export async function* runTurn(deps: TurnDeps, request: TurnRequest): AsyncGenerator<TurnEvent, void, undefined> {
  const turn = await prepareTurn(deps, request);
  try {
    yield { type: 'message_start', id: turn.replyId, conversationId: turn.conversationId };
    const reply = yield* answer(deps, turn);
    await store(deps, turn, reply);
    yield { type: 'sources', sources: reply.sources };
    yield { type: 'message_end', usage: reply.usage, confidence: reply.confidence, model: reply.model };
  } catch (error) {
    const failure = deps.deadline.aborted ? outOfTime(error) : error;
    await deps.onFailure(failure);
    throw failure;
  } finally {
    await turn.lease.release();
  }
}

/** Whatever was being waited for says that it was cancelled; the reason is that the turn's own time was over. */
const outOfTime = (cause: unknown) =>
  new AppError('timeout', 'The reply took too long. Try again, or ask for fewer tokens.', { cause });

/** Understand → retrieve → budget → generate → verify → score. */
async function* answer(deps: TurnDeps, turn: PreparedTurn): AsyncGenerator<TurnEvent, StoredReply, undefined> {
  const { signal, services } = deps;
  const { model, maxTokens, system, message } = turn;
  const earlier = await readHistory(deps.db, turn.conversationId, turn.before);
  const { question, classification } = understand(earlier, message);
  const { shape } = classification;
  const found = await gatherSources(services, question, shape, turn.reach, signal);
  const { historyShare } = SHAPE_PLANS[shape];
  const { sources, history } = fitContext({
    model,
    maxTokens,
    system,
    message,
    sources: found,
    history: earlier,
    historyShare,
  });
  const messages = [...history, { role: 'user', content: [{ type: 'text', text: message }] }] as const;
  const generated = yield* generate(model, { system, messages, question, sources, maxTokens, shape }, signal);
  const { text, citations, end } = generated;
  const { promptTokens, completionTokens } = end.usage;
  const { score, label, signals } = scoreAnswer({
    question,
    reply: text,
    citations,
    sources,
    shape: classification,
    stopReason: end.stopReason,
  });
  return {
    content: text,
    sources: citedSources(citations, sources),
    confidence: { score, label, signals },
    usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    model: model.id,
  };
}

async function store({ db, log }: TurnDeps, turn: PreparedTurn, reply: StoredReply): Promise<void> {
  const { conversationId, messageId, replyId, sentAt, message, request } = turn;
  const stored = await saveTurn(db, {
    conversationId,
    turnId: replyId,
    message: messageId === undefined ? undefined : { id: messageId, text: message, sentAt, request },
    reply: { ...reply, id: replyId, steps: [] },
  });
  if (!stored)
    log.info({ conversationId }, 'the conversation was deleted, or taken from its turn, before the reply was stored');
}
