import { AppError, invalidRequest, onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';
import type { KeyedCall } from '#http/operation';

/** Checks that the team has these collections. Throws `invalid_request` for one that it has not. */
export async function requireCollections(
  { clients }: Context,
  ids: readonly string[] | undefined,
  call: KeyedCall,
): Promise<void> {
  if (ids === undefined || ids.length === 0) return;
  try {
    await clients.collections.resolveCollections({ ids: [...ids] }, onBehalfOf(call));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    const index = ids.indexOf(String(error.details?.id));
    const path = index < 0 ? 'allowed_collections' : `allowed_collections[${index}]`;
    throw invalidRequest([{ path, message: 'is no collection of this team' }]);
  }
}
