import { type Caller, onBehalfOf, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';

/**
 * The caller that a run's tools act for: its scope is key ∩ agent ∩ request. Whatever a tool is talked into, the services that it asks
 * see no more than this. Throws `not_found` or `forbidden` for a requested collection; an agent's collections that are gone are left out.
 */
export async function narrowCaller(
  { collections }: Context,
  call: ServiceCall,
  { agent, requested }: { readonly agent: readonly string[]; readonly requested: readonly string[] },
): Promise<Caller> {
  const { caller } = call;
  if (agent.length === 0 && requested.length === 0) return caller;
  const resolved = await collections.resolveCollections({ ids: [...requested] }, onBehalfOf(call));
  const reached = resolved.collections.map(({ id }) => id);
  const ids = agent.length === 0 ? reached : reached.filter((id) => agent.includes(id));
  return { ...caller, scope: { kind: 'only', ids } };
}
