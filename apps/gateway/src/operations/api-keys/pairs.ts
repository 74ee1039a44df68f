import { AppError, invalidRequest, notFound, onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { findPair, type StoredPair } from '#keys/pair-store';
import type { KeyedCall } from '#pipeline/operation';

/** Returns a pair of the team, including a revoked one. Throws `not_found`. */
export async function requirePair(db: Prisma.TransactionClient, teamId: string, id: string): Promise<StoredPair> {
  const pair = await findPair(db, teamId, id);
  if (pair === undefined) throw notFound('key', id);
  return pair;
}

/** Returns a pair that can be changed. Throws `not_found`, and `conflict` for a revoked pair. */
export async function requireActivePair(db: Prisma.TransactionClient, teamId: string, id: string): Promise<StoredPair> {
  const pair = await requirePair(db, teamId, id);
  if (pair.revokedAt !== null) throw new AppError('conflict', 'This pair is revoked. Create a new one.');
  return pair;
}

interface CheckedCollections {
  /** The field of the request. */
  readonly field?: string;
  /** Those that the pair already has. */
  readonly current?: readonly string[];
}

/**
 * Checks that the team has these collections, except the current ones.
 * Throws `invalid_request` for an unknown one.
 */
export async function requireCollections(
  { clients }: Context,
  ids: readonly string[] | undefined,
  call: KeyedCall,
  { field = 'allowed_collections', current = [] }: CheckedCollections = {},
): Promise<void> {
  const added = ids?.filter((id) => !current.includes(id));
  if (ids === undefined || added === undefined || added.length === 0) return;
  try {
    await clients.collections.resolveCollections({ ids: added }, onBehalfOf(call));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    const index = ids.indexOf(String(error.details?.id));
    const path = index < 0 ? field : `${field}[${index}]`;
    throw invalidRequest([{ path, message: 'does not exist in this team' }]);
  }
}
