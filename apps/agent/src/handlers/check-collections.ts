import { onBehalfOf, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';

/**
 * The named collections, each once. Throws `not_found` for an unknown one and `forbidden` for one out of the key's scope. Those that an agent names
 * already (`kept`) are accepted as they are: one that was deleted since must not prevent other changes, and runs ignore it.
 */
export async function checkCollections(
  { collections }: Context,
  ids: readonly string[],
  call: ServiceCall,
  kept: readonly string[] = [],
): Promise<string[]> {
  const named = [...new Set(ids)];
  const added = named.filter((id) => !kept.includes(id));
  // An empty list would ask for all of them.
  if (added.length > 0) await collections.resolveCollections({ ids: added }, onBehalfOf(call));
  return named;
}
