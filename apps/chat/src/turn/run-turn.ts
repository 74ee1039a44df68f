import { saveTurn } from '#conversations/save-turn';
import { answer } from '#turn/answer';
import { answerByAgent } from '#turn/answer-by-agent';
import { type PreparedTurn, prepareTurn } from '#turn/prepare-turn';
import { isTimeout, storeTimedOut, timeoutError } from '#turn/timeout';
import type { TurnEvent, TurnReply } from '#turn/turn-event';
import type { TurnDeps, TurnRequest } from '#turn/turn-request';

/**
 * Runs one turn of a conversation and yields its events. Throws validation errors before the first
 * event. Stores message and reply together when the model has finished, before `sources` and
 * `message_end`. A failed turn stores nothing; a turn that times out stores the reply so far.
 */
export async function* runTurn(deps: TurnDeps, request: TurnRequest): AsyncGenerator<TurnEvent, void, undefined> {
  const turn = await prepareTurn(deps, request);
  try {
    yield { type: 'message_start', id: turn.replyId, conversationId: turn.conversationId };
    const reply = yield* turn.agentId === undefined ? answer(deps, turn) : answerByAgent(deps, turn, turn.agentId);
    await store(deps, turn, reply);
    yield { type: 'sources', sources: reply.sources };
    for (const { event } of reply.steps) if (event.$case === 'completed') yield { type: 'run', event };
    yield { type: 'message_end', usage: reply.usage, confidence: reply.confidence, model: reply.model };
  } catch (error) {
    const failure = deps.deadline.signal.aborted ? timeoutError(error) : error;
    if (isTimeout(failure)) await storeTimedOut(deps, turn);
    await deps.onFailure(failure);
    throw failure;
  } finally {
    await turn.lease.release();
  }
}

async function store({ db, log }: TurnDeps, turn: PreparedTurn, reply: TurnReply): Promise<void> {
  const { conversationId, messageId, replyId, sentAt, message, request } = turn;
  const stored = await saveTurn(db, {
    conversationId,
    turnId: replyId,
    message: messageId === undefined ? undefined : { id: messageId, text: message, sentAt, request },
    reply: { ...reply, id: replyId },
  });
  if (!stored)
    log.info({ conversationId }, 'the reply was not stored: its conversation was deleted, or the turn lost its lease');
}
