import { type Caller, isPartOfTeam } from '@lectern/service-kit';
import type { Prisma } from '#gen/prisma/client';

/**
 * Returns the filter for the conversations that a caller can see: its team's. A key of restricted
 * scope, or with filters, sees only the conversations that it created, an end user only their own.
 */
export function visibleTo(caller: Caller): Prisma.ConversationWhereInput {
  const { teamId, keyId, userEmail } = caller;
  return {
    teamId,
    // A caller without a key is an internal service, which never has a restricted scope. '' matches
    // nothing.
    ...(isPartOfTeam(caller) ? { keyId: keyId ?? '' } : {}),
    ...(userEmail === undefined ? {} : { userEmail }),
  };
}
