import { type Caller, newId } from '@lectern/service-kit';
import { titleOf } from '#conversations/title';

/**
 * A conversation to create with its first message. Lists omit it until its first turn is stored.
 */
export interface NewConversation {
  readonly id: string;
  readonly teamId: string;
  readonly keyId: string | null;
  readonly userEmail: string | null;
  readonly agentId: string | null;
  readonly title: string;
}

/** Creates a conversation for a caller's first message. Stores nothing. */
export function newConversation(
  { teamId, keyId, userEmail }: Caller,
  first: { readonly message: string; readonly agentId: string | undefined },
): NewConversation {
  return {
    id: newId('conversation'),
    teamId,
    keyId: keyId ?? null,
    userEmail: userEmail ?? null,
    agentId: first.agentId ?? null,
    title: titleOf(first.message),
  };
}
