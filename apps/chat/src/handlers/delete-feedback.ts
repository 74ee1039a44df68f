import type { DeleteFeedbackRequest } from '@lectern/contracts';
import { AppError, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readReply } from '#conversations/read-reply';
import { authorOf } from '#feedback/stored-feedback';

/** Deletes the caller's feedback on a reply, also if the reply is withheld from the caller now. */
export const deleteFeedback =
  ({ db }: Context) =>
  async (request: DeleteFeedbackRequest, { caller }: ServiceCall) => {
    const { id: messageId } = await readReply(db, caller, request);
    const { count } = await db.feedback.deleteMany({ where: { messageId, author: authorOf(caller) } });
    if (count === 0) {
      throw new AppError('not_found', 'You gave no feedback on this reply.', {
        details: { resource: 'feedback', id: messageId },
      });
    }
    return { messageId };
  };
