import { type Caller, isInScope, onBehalfOf, type ServiceCall, systemCaller } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Agent } from '#gen/prisma/client';

/** The fields that determine who can see an agent. */
export type AgentAccess = Pick<Agent, 'keyId' | 'collectionIds'>;

/**
 * Returns whether the caller can access every collection of an agent, deleted ones included. Calls
 * no other service.
 */
export const isWithin = (caller: Caller, { collectionIds }: AgentAccess): boolean =>
  collectionIds.every((id) => isInScope(caller, id));

/**
 * Returns a function that decides whether a caller can see an agent. Deleted collections do not
 * count. An agent whose collections were all deleted is visible only to unrestricted keys and to
 * the key that created it, because its memories can contain text from them.
 */
export async function agentVisibility(
  { collections }: Pick<Context, 'collections'>,
  { caller, requestId, signal }: ServiceCall,
): Promise<(agent: AgentAccess) => boolean> {
  const team = onBehalfOf({ caller: systemCaller(caller.teamId), requestId, signal });
  const resolved = await collections.resolveCollections({ ids: [] }, team);
  const existing = new Set(resolved.collections.map(({ id }) => id));
  return (agent) => {
    if (isWithin(caller, agent)) return true;
    const remaining = agent.collectionIds.filter((id) => existing.has(id));
    if (remaining.length === 0) return caller.keyId !== undefined && caller.keyId === agent.keyId;
    return remaining.every((id) => isInScope(caller, id));
  };
}
