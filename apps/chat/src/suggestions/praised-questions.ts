import type { Caller } from '@lectern/service-kit';
import { type Readable, readableDocumentsOf } from '#conversations/readable-replies';
import { ownedBy } from '#conversations/visibility';
import { authorOf } from '#feedback/stored-feedback';
import type { PrismaClient } from '#gen/prisma/client';
import type { TurnServices } from '#turn/turn-services';

/** Longer questions do not fit on a button. */
const MAX_LENGTH = 100;

/**
 * Returns the first questions of the caller's conversations whose replies the caller praised, newest
 * first, if the caller can still read what the replies are based on. A later question can depend on
 * the one before it.
 */
export async function readPraisedQuestions(
  db: PrismaClient,
  services: Pick<TurnServices, 'filterReadable'>,
  caller: Caller,
  limit: number,
): Promise<readonly string[]> {
  const praised = await db.feedback.findMany({
    where: {
      author: authorOf(caller),
      teamId: caller.teamId,
      rating: 'up',
      message: { position: 1, conversation: { ...ownedBy(caller), agentId: null } },
    },
    orderBy: { updatedAt: 'desc' },
    take: limit,
    select: {
      message: {
        select: {
          documents: true,
          sources: true,
          conversation: { select: { messages: { where: { position: 0 }, select: { content: true } } } },
        },
      },
    },
  });
  const replies = praised.map(({ message }) => message);
  const readable: Readable = await readableDocumentsOf(services, replies);
  return replies
    .filter((reply) => readable.hasAll(reply))
    .flatMap(({ conversation }) => conversation.messages.map(({ content }) => content.trim()))
    .filter((question) => question.length <= MAX_LENGTH);
}
