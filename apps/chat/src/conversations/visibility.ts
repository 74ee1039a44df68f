import type { Caller } from '@lectern/service-kit';
import type { Prisma } from '#gen/prisma/client';

/**
 * The conversations that a caller sees: its team's; with a key of restricted scope those that the key made; for an end user those
 * made for that user.
 */
export function visibleTo({ teamId, keyId, scope, userEmail }: Caller): Prisma.ConversationWhereInput {
  return {
    teamId,
    // A caller without a key is a service of ours, never of restricted scope; '' then matches nothing.
    ...(scope.kind === 'all' ? {} : { keyId: keyId ?? '' }),
    ...(userEmail === undefined ? {} : { userEmail }),
  };
}
