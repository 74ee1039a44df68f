import type { Caller } from '@lectern/service-kit';
import type { Prisma } from '#gen/prisma/client';

/**
 * Returns the filter for the conversations that a caller can see: its team's. A key of restricted
 * scope sees only the conversations that it created, an end user only their own.
 */
export function visibleTo({ teamId, keyId, scope, userEmail }: Caller): Prisma.ConversationWhereInput {
  return {
    teamId,
    // A caller without a key is an internal service, which never has a restricted scope. '' matches
    // nothing.
    ...(scope.kind === 'all' ? {} : { keyId: keyId ?? '' }),
    ...(userEmail === undefined ? {} : { userEmail }),
  };
}
