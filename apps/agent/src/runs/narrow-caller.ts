import { type Caller, onBehalfOf, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';

/**
 * Returns the caller that a run's tools act for. Its scope is key ∩ agent ∩ request, which the
 * services enforce regardless of what a model asks a tool to do. Throws `not_found` or `forbidden` for a
 * requested collection. Skips deleted collections of the agent.
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
