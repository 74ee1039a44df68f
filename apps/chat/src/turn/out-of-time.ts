import { AppError } from '@lectern/service-kit';
import { saveTimedOutTurn } from '#conversations/save-turn';
import type { PreparedTurn } from '#turn/prepare-turn';
import type { TurnDeps } from '#turn/turn-request';

/** What is told of a reply whose time was over. */
export const TIMED_OUT = 'The reply took too long. Try again, or ask for fewer tokens.';

/** Whatever was being waited for says that it was cancelled; the reason is that the turn's own time was over. */
export const outOfTime = (cause: unknown) => new AppError('timeout', TIMED_OUT, { cause });

/** The turn's own time, an agent's, or the patience with a silent model. */
export const isOutOfTime = (error: unknown): boolean => error instanceof AppError && error.code === 'timeout';

/**
 * Keeps a message that was answered too late, with what had been said until then, marked as timed out. Where a message is answered anew, the
 * reply that it has stays instead. Never throws.
 */
export async function keepTimedOut({ db, log, said, shown }: TurnDeps, turn: PreparedTurn): Promise<void> {
  const { conversationId, messageId, replyId, message, sentAt, request, model } = turn;
  if (messageId === undefined) return;
  const { content, steps } = said();
  await saveTimedOutTurn(db, {
    conversationId,
    turnId: replyId,
    message: { id: messageId, text: message, sentAt, request },
    reply: { id: replyId, content, steps, model: model.id, documents: [...shown] },
  }).catch((err: unknown) => log.warn({ err, conversationId }, 'a turn that timed out could not be stored'));
}
