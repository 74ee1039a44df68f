import { onBehalfOf, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';

/** The named collections, each once. Throws `not_found` for an unknown one and `forbidden` for one out of the key's scope. */
export async function checkCollections(
  { collections }: Context,
  ids: readonly string[],
  call: ServiceCall,
): Promise<string[]> {
  const named = [...new Set(ids)];
  // An empty list would ask for all of them.
  if (named.length > 0) await collections.resolveCollections({ ids: named }, onBehalfOf(call));
  return named;
}
