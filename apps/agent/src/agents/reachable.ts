import { type Caller, onBehalfOf, reaches, type ServiceCall, systemCaller } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Agent } from '#gen/prisma/client';

/** What of an agent decides who sees it. */
export type Bound = Pick<Agent, 'keyId' | 'collectionIds'>;

/** True where the key reaches every collection that an agent names, deleted ones too. Needs no other service. */
export const isWithin = (caller: Caller, { collectionIds }: Bound): boolean =>
  collectionIds.every((id) => reaches(caller, id));

/**
 * Tells which agents a key reaches. Collections that were deleted do not count. An agent that has lost all of its collections is seen by
 * unrestricted keys and by the key that made it: to everybody else it would be open, with what it remembers of those collections.
 */
export async function reachableAgents(
  { collections }: Pick<Context, 'collections'>,
  { caller, requestId, signal }: ServiceCall,
): Promise<(agent: Bound) => boolean> {
  const team = onBehalfOf({ caller: systemCaller(caller.teamId), requestId, signal });
  const resolved = await collections.resolveCollections({ ids: [] }, team);
  const living = new Set(resolved.collections.map(({ id }) => id));
  return (agent) => {
    if (isWithin(caller, agent)) return true;
    const left = agent.collectionIds.filter((id) => living.has(id));
    if (left.length === 0) return caller.keyId !== undefined && caller.keyId === agent.keyId;
    return left.every((id) => reaches(caller, id));
  };
}
