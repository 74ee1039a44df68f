import type { TurnAgent, TurnServices } from '#turn/turn-services';

/**
 * The collections that a turn searches: none, or those listed (an empty list means all that the
 * caller can access).
 */
export type SearchScope =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'collections'; readonly ids: readonly string[] };

/**
 * Intersects the collections of key, agent and request. Throws `not_found` or `forbidden` for a
 * requested collection, like a search. Skips an agent's collections that were deleted or that the
 * key cannot access.
 */
export async function resolveSearchScope(
  services: TurnServices,
  requested: readonly string[],
  agent: TurnAgent | undefined,
): Promise<SearchScope> {
  const agentCollections = new Set(agent?.collections);
  if (agentCollections.size === 0 && requested.length === 0) return { kind: 'collections', ids: [] };
  const accessible = await services.resolveCollections(requested);
  const ids = agentCollections.size === 0 ? accessible : accessible.filter((id) => agentCollections.has(id));
  return ids.length === 0 ? { kind: 'nothing' } : { kind: 'collections', ids };
}
