import { type Caller, newId } from '@lectern/service-kit';
import { titleOf } from '#conversations/title';

/** A conversation that is to be opened with its first message; it is in no list until its first turn is stored. */
export interface NewConversation {
  readonly id: string;
  readonly teamId: string;
  readonly keyId: string | null;
  readonly userEmail: string | null;
  readonly agentId: string | null;
  readonly title: string;
}

/** What a caller opens with a message. */
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
