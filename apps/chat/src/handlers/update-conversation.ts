import { isId, type UpdateConversationRequest } from '@lectern/contracts';
import { AppError, invalidRequest, notFound, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { mayShare, ownedBy, unsharableBy } from '#conversations/visibility';
import { toConversation } from '#handlers/conversation-message';

const MAX_TITLE = 200;

function titleIn(title: string): string {
  const trimmed = title.trim();
  const fail = (message: string) => invalidRequest([{ path: 'title', message }]);
  if (trimmed === '') throw fail('must not be empty');
  if ([...title].length > MAX_TITLE) throw fail(`must have at most ${MAX_TITLE} characters`);
  if (/\p{Cc}/u.test(title)) throw fail('must not contain control characters');
  return trimmed;
}

/**
 * Changes the title of a conversation, or shares it. Editors can also stop to share those of others. Throws
 * `not_found` for other changes of these, and `forbidden` if the caller cannot share.
 */
export const updateConversation =
  ({ db }: Context) =>
  async ({ id, title, shared }: UpdateConversationRequest, { caller }: ServiceCall) => {
    if (shared === true && !mayShare(caller)) {
      throw new AppError('forbidden', 'Only signed-in people, and keys of the whole team, can share a conversation.');
    }
    const changeable = title === undefined && shared === false ? unsharableBy(caller) : ownedBy(caller);
    const data = {
      ...(title === undefined ? {} : { title: titleIn(title) }),
      ...(shared === undefined ? {} : { shared }),
    };
    const [updated] = isId('conversation', id)
      ? await db.conversation.updateManyAndReturn({ where: { id, ...changeable }, data })
      : [];
    if (updated === undefined) throw notFound('conversation', id);
    return toConversation(updated, caller);
  };
