import { AppError, invalidRequest, onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';
import type { KeyedCall } from '#http/operation';

/**
 * Checks that the team has these collections, except those that the pair already names (`kept`).
 * Throws `invalid_request` for an unknown one.
 */
export async function requireCollections(
  { clients }: Context,
  ids: readonly string[] | undefined,
  call: KeyedCall,
  kept: readonly string[] = [],
): Promise<void> {
  const added = ids?.filter((id) => !kept.includes(id));
  if (ids === undefined || added === undefined || added.length === 0) return;
  try {
    await clients.collections.resolveCollections({ ids: added }, onBehalfOf(call));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    const index = ids.indexOf(String(error.details?.id));
    const path = index < 0 ? 'allowed_collections' : `allowed_collections[${index}]`;
    throw invalidRequest([{ path, message: 'is no collection of this team' }]);
  }
}
