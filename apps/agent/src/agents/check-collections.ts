import { onBehalfOf, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';

/**
 * Returns the named collections without duplicates. Throws `not_found` for an unknown collection
 * and `forbidden` for one outside the key's scope. Collections that the agent already names
 * (`existingIds`) are accepted unchecked: one that was deleted must not block other changes, and
 * runs ignore it.
 */
export async function checkCollections(
  { collections }: Context,
  ids: readonly string[],
  call: ServiceCall,
  existingIds: readonly string[] = [],
): Promise<string[]> {
  const named = [...new Set(ids)];
  const added = named.filter((id) => !existingIds.includes(id));
  // An empty list would request all collections.
  if (added.length > 0) await collections.resolveCollections({ ids: added }, onBehalfOf(call));
  return named;
}
