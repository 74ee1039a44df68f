import { saveTurn } from '#conversations/save-turn';
import { answer } from '#turn/answer';
import { answerByAgent } from '#turn/answer-by-agent';
import { isOutOfTime, keepTimedOut, outOfTime } from '#turn/out-of-time';
import { type PreparedTurn, prepareTurn } from '#turn/prepare-turn';
import type { TurnEvent } from '#turn/turn-event';
import type { TurnReply } from '#turn/turn-reply';
import type { TurnDeps, TurnRequest } from '#turn/turn-request';

/**
 * One turn of a conversation, as events. Refusals are thrown before the first event. The turn is stored, message and reply together, once
 * the model has said its last word and before `sources` and `message_end` are told; a turn that fails or is ended earlier stores
 * nothing, and one whose time was over what had been said until then, marked as that.
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
    const failure = deps.deadline.aborted ? outOfTime(error) : error;
    if (isOutOfTime(failure)) await keepTimedOut(deps, turn);
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
    log.info({ conversationId }, 'the conversation was deleted, or taken from its turn, before the reply was stored');
}
