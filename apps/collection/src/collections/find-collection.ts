import { isId } from '@lectern/contracts';
import { type Caller, notFound, requireInScope } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Collection } from '#gen/prisma/client';

/**
 * Returns a collection of the caller's team. Throws `not_found`, or `forbidden` if it is outside
 * the key's scope.
 */
export async function findCollection({ db }: Context, caller: Caller, id: string): Promise<Collection> {
  const row = isId('collection', id)
    ? await db.collection.findFirst({ where: { id, teamId: caller.teamId, deletedAt: null } })
    : null;
  if (row === null) throw notFound('collection', id);
  requireInScope(caller, id);
  return row;
}

/**
 * Like `findCollection`, for writes that themselves check whether the collection exists: skips the
 * query for a caller without scope restrictions.
 */
export async function requireCollection(context: Context, caller: Caller, id: string): Promise<void> {
  if (caller.scope.kind !== 'all') await findCollection(context, caller, id);
  else if (!isId('collection', id)) throw notFound('collection', id);
}

/** Returns the filter for a list or a search without named collections. */
export function collectionsInScope(caller: Caller) {
  return {
    teamId: caller.teamId,
    deletedAt: null,
    ...(caller.scope.kind === 'all' ? {} : { id: { in: [...caller.scope.ids] } }),
  };
}
