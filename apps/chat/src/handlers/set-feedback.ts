import type { EventData, SetFeedbackRequest } from '@lectern/contracts';
import { newEvent, recordEvents } from '@lectern/events';
import { AppError, invalidRequest, notFound, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readReply } from '#conversations/read-reply';
import { readableDocumentsOf } from '#conversations/readable-replies';
import { authorOf, ratingName, reasonName, toFeedback } from '#feedback/stored-feedback';
import type { Prisma } from '#gen/prisma/client';

const MAX_COMMENT = 2_000;

/** Stores what the caller thinks of a reply. It replaces the caller’s earlier feedback. */
export const setFeedback =
  ({ db, services }: Context) =>
  async (request: SetFeedbackRequest, call: ServiceCall) => {
    const { rating, reason, comment } = readFeedback(request);
    const { caller } = call;
    const reply = await readReply(db, caller, request);
    const readable = await readableDocumentsOf(services.for(call), [reply]);
    if (!readable.hasAll(reply)) {
      throw new AppError(
        'conflict',
        'The reply is based on documents that you can no longer read. Ask the question again.',
        { details: { resource: 'message', id: reply.id } },
      );
    }
    // The reply is locked, because it can be deleted or replaced at the same time.
    const stored = await db.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<{ createdAt: Date; updatedAt: Date }[]>`
        INSERT INTO feedback (message_id, author, team_id, rating, reason, comment)
        SELECT id, ${authorOf(caller)}, ${caller.teamId}, ${rating}, ${reason}, ${comment}
        FROM messages WHERE id = ${reply.id} FOR KEY SHARE
        ON CONFLICT (message_id, author) DO UPDATE
          SET rating = excluded.rating, reason = excluded.reason, comment = excluded.comment, updated_at = now()
        RETURNING created_at AS "createdAt", updated_at AS "updatedAt"`;
      if (row === undefined) throw notFound('reply', reply.id);
      await recordFeedback(tx, caller.teamId, {
        messageId: reply.id,
        conversationId: reply.conversationId,
        rating,
        reason,
      });
      return row;
    });
    return toFeedback({ rating, reason, comment, ...stored });
  };

/** Records the event of feedback, also of changed feedback. */
async function recordFeedback(
  tx: Prisma.TransactionClient,
  teamId: string,
  data: EventData['feedback.created'],
): Promise<void> {
  const event = { type: 'feedback.created', teamId, resource: data.messageId, collectionIds: [], data } as const;
  await recordEvents(tx, [newEvent(event)]);
}

function readFeedback(request: SetFeedbackRequest) {
  const rating = ratingName(request.rating);
  if (rating === undefined) throw invalidRequest([{ path: 'rating', message: 'must be up or down' }]);
  const reason = request.reason === undefined ? null : reasonName(request.reason);
  if (reason === undefined) throw invalidRequest([{ path: 'reason', message: 'must be a known reason' }]);
  if (reason !== null && rating === 'up') {
    throw invalidRequest([{ path: 'reason', message: 'is only allowed with the rating down' }]);
  }
  const comment = request.comment?.trim() || null;
  if (comment !== null && comment.length > MAX_COMMENT) {
    throw invalidRequest([{ path: 'comment', message: `must have at most ${MAX_COMMENT} characters` }]);
  }
  return { rating, reason, comment };
}
