import { type Caller, isId, notFound, requireReach } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Collection } from '#gen/prisma/client';

/** A collection of the caller's. Throws `not_found`, or `forbidden` where the key does not reach it. */
export async function findCollection({ db }: Context, caller: Caller, id: string): Promise<Collection> {
  const row = isId('collection', id)
    ? await db.collection.findFirst({ where: { id, teamId: caller.teamId, deletedAt: null } })
    : null;
  if (row === null) throw notFound('collection', id);
  requireReach(caller, id);
  return row;
}

/**
 * As `findCollection`, for a write that finds out by itself whether the collection is there: a caller whose key reaches everything is not looked up
 * for.
 */
export async function requireCollection(context: Context, caller: Caller, id: string): Promise<void> {
  if (caller.scope.kind !== 'all') await findCollection(context, caller, id);
  else if (!isId('collection', id)) throw notFound('collection', id);
}

/** What a list or a search without named collections is narrowed to. */
export function reachableCollections(caller: Caller) {
  return {
    teamId: caller.teamId,
    deletedAt: null,
    ...(caller.scope.kind === 'all' ? {} : { id: { in: [...caller.scope.ids] } }),
  };
}
