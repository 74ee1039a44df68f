import { AppError, notFound } from '@lectern/service-kit';
import type { Prisma } from '#gen/prisma/client';
import { findPair, type StoredPair } from '#keys/pair-store';

/** What a key of restricted scope may not do, to complete “may not …”. */
export const MANAGE_KEYS = 'manage API keys';

/** The pair of that team and id, revoked ones included. Throws `not_found`. */
export async function requirePair(db: Prisma.TransactionClient, teamId: string, id: string): Promise<StoredPair> {
  const pair = await findPair(db, teamId, id);
  if (pair === undefined) throw notFound('key', id);
  return pair;
}

/** The pair of that team and id that can still be changed. Throws `not_found`, and `conflict` for a revoked one. */
export async function requireActivePair(db: Prisma.TransactionClient, teamId: string, id: string): Promise<StoredPair> {
  const pair = await requirePair(db, teamId, id);
  if (pair.revokedAt !== null) throw new AppError('conflict', 'This pair is revoked. Create a new one.');
  return pair;
}
