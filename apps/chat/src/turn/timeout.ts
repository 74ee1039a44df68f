import { AppError } from '@lectern/service-kit';
import { saveTimedOutTurn } from '#conversations/save-turn';
import { TIMED_OUT } from '#conversations/stored-reply';
import type { PreparedTurn } from '#turn/prepare-turn';
import type { TurnDeps } from '#turn/turn-request';

/** Replaces the cancellation error of the operation that was pending when the turn's deadline passed. */
export const timeoutError = (cause: unknown) => new AppError('timeout', TIMED_OUT, { cause });

/** True for the timeout of a turn, an agent or a model. */
export const isTimeout = (error: unknown): boolean => error instanceof AppError && error.code === 'timeout';

/**
 * Stores the message and the reply so far, marked as timed out. A regenerated reply keeps its
 * previous version instead. Never throws.
 */
export async function storeTimedOut({ db, log, replySoFar, shown }: TurnDeps, turn: PreparedTurn): Promise<void> {
  const { conversationId, messageId, replyId, message, sentAt, request, model } = turn;
  if (messageId === undefined) return;
  const { content, steps } = replySoFar();
  await saveTimedOutTurn(db, {
    conversationId,
    turnId: replyId,
    message: { id: messageId, text: message, sentAt, request },
    reply: {
      id: replyId,
      content,
      steps,
      model: model.id,
      documents: [...shown],
      // The tools of an agent could have returned text of other systems.
      shownDocuments: steps.length === 0 ? [...shown] : null,
    },
  }).catch((err: unknown) => log.warn({ err, conversationId }, 'could not store a turn that timed out'));
}
