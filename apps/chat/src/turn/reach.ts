import type { TurnAgent, TurnServices } from '#turn/turn-services';

/** Where a turn looks for sources: nowhere, or in these collections (empty: all that the caller reaches). */
export type Reach = { readonly kind: 'nothing' } | { readonly kind: 'collections'; readonly ids: readonly string[] };

/**
 * Key ∩ agent ∩ request. Throws `not_found` or `forbidden` for a requested collection as a search would. An agent's collections that are
 * gone, or that the key does not reach, are left out without a word.
 */
export async function reachOf(
  services: TurnServices,
  requested: readonly string[],
  agent: TurnAgent | undefined,
): Promise<Reach> {
  const agentCollections = new Set(agent?.collections);
  if (agentCollections.size === 0 && requested.length === 0) return { kind: 'collections', ids: [] };
  const reached = await services.resolveCollections(requested);
  const ids = agentCollections.size === 0 ? reached : reached.filter((id) => agentCollections.has(id));
  return ids.length === 0 ? { kind: 'nothing' } : { kind: 'collections', ids };
}
