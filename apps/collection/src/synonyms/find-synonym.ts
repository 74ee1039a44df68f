import { isId, type Synonym as SynonymRecord } from '@lectern/contracts';
import { type Caller, notFound, requireFullScope, requireInScope } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Prisma, Synonym } from '#gen/prisma/client';
import { packEntry, toPackRecord, toSynonymRecord } from '#synonyms/synonym-record';
import { settingsOf } from '#synonyms/synonym-settings';

/**
 * Throws `forbidden` if the key cannot access synonyms of the collection, or of the whole team
 * without one.
 */
export function requireSynonymScope(caller: Caller, collectionId: string | null | undefined): void {
  if (collectionId == null) requireFullScope(caller, 'access synonyms of the whole team');
  else requireInScope(caller, collectionId);
}

/** Returns the filter for the custom synonyms that a caller can access. */
export const synonymsInScope = ({ teamId, scope }: Caller) => ({
  teamId,
  ...(scope.kind === 'all' ? {} : { collectionId: { in: [...scope.ids] } }),
});

/**
 * Returns a custom synonym of the caller's team. Throws `not_found`, or `forbidden` outside the
 * key's scope.
 */
export async function findCustomSynonym(
  { synonym }: Pick<Prisma.TransactionClient, 'synonym'>,
  caller: Caller,
  id: string,
): Promise<Synonym> {
  const row = isId('synonym', id) ? await synonym.findFirst({ where: { id, teamId: caller.teamId } }) : null;
  if (row === null) throw notFound('synonym', id);
  requireSynonymScope(caller, row.collectionId);
  return row;
}

/** Returns a custom synonym or a pack's rule. Throws like `findCustomSynonym`. */
export async function findSynonym({ db }: Context, caller: Caller, id: string): Promise<SynonymRecord> {
  const entry = packEntry(id);
  if (entry === undefined) return toSynonymRecord(await findCustomSynonym(db, caller, id));
  requireSynonymScope(caller, undefined);
  return toPackRecord(entry.pack, entry.rule, await settingsOf(db, caller.teamId));
}
