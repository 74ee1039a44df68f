import { isId } from '@lectern/contracts';
import { type Caller, isPartOfTeam } from '@lectern/service-kit';
import type { Conversation, Prisma } from '#gen/prisma/client';

/** The part of a row that decides who can see it. */
interface Owner {
  readonly teamId: string;
  readonly keyId?: string;
  readonly userEmail?: string;
}

/**
 * Returns the filter for the conversations and completions of a caller: its team's. A key of restricted scope, or
 * with filters, has only the conversations that it created, an end user only their own.
 */
export function ownedBy(caller: Caller): Owner {
  const { teamId, keyId, userEmail } = caller;
  return {
    teamId,
    // A caller without a key is an internal service, which never has a restricted scope. '' matches
    // nothing.
    ...(isPartOfTeam(caller) ? { keyId: keyId ?? '' } : {}),
    ...(userEmail === undefined ? {} : { userEmail }),
  };
}

/** True for a signed-in person of the team. */
const isPerson = (caller: Caller): boolean => isId('person', caller.keyId ?? '') && !isPartOfTeam(caller);

/**
 * True for callers who can share a conversation with the people of the team. The end users of a key cannot: they can
 * be visitors of a website, whose texts would appear in the list of the team.
 */
export const mayShare = (caller: Caller): boolean =>
  isPerson(caller) || (!isPartOfTeam(caller) && caller.userEmail === undefined);

/** Returns the filter for the conversations that a caller can stop to share: editors those of all people. */
export const unsharableBy = (caller: Caller): Prisma.ConversationWhereInput =>
  isPerson(caller) && caller.mayManage === true ? readableBy(caller) : ownedBy(caller);

/**
 * Returns the filter for the shared conversations that a caller can read. Signed-in people read those of all people:
 * the end users of a key can be customers, who must not see each other's questions.
 */
export function sharedWith(caller: Caller): Prisma.ConversationWhereInput {
  return { ...(isPerson(caller) ? { teamId: caller.teamId } : ownedBy(caller)), shared: true };
}

/** Returns the filter for all conversations that a caller can read. */
export const readableBy = (caller: Caller): Prisma.ConversationWhereInput => ({
  OR: [ownedBy(caller), sharedWith(caller)],
});

/** True for a conversation that the caller can change and continue. */
export function isOwn(caller: Caller, conversation: Conversation): boolean {
  const { teamId, keyId = conversation.keyId, userEmail = conversation.userEmail } = ownedBy(caller);
  return teamId === conversation.teamId && keyId === conversation.keyId && userEmail === conversation.userEmail;
}
