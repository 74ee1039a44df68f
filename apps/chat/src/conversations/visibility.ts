import { type Caller, isPartOfTeam } from '@lectern/service-kit';

/** The part of a row that decides who can see it. */
interface Owner {
  readonly teamId: string;
  readonly keyId?: string;
  readonly userEmail?: string;
}

/**
 * Returns the filter for the conversations and completions that a caller can see: its team's. A key of restricted
 * scope, or with filters, sees only the conversations that it created, an end user only their own.
 */
export function visibleTo(caller: Caller): Owner {
  const { teamId, keyId, userEmail } = caller;
  return {
    teamId,
    // A caller without a key is an internal service, which never has a restricted scope. '' matches
    // nothing.
    ...(isPartOfTeam(caller) ? { keyId: keyId ?? '' } : {}),
    ...(userEmail === undefined ? {} : { userEmail }),
  };
}
