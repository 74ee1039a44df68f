import { isId } from '@lectern/contracts';
import { type Caller, notFound, requireFullScope, requireInScope } from '@lectern/service-kit';
import type { Prisma, SearchRule } from '#gen/prisma/client';

/**
 * Throws `forbidden` if the key cannot access rules of the collection, or of the whole team without
 * one.
 */
export function requireRuleScope(caller: Caller, collectionId: string | null): void {
  if (collectionId === null) requireFullScope(caller, 'access search rules of the whole team');
  else requireInScope(caller, collectionId);
}

/** Returns the filter for the rules that a caller can access. */
export const rulesInScope = ({ teamId, scope }: Caller) => ({
  teamId,
  ...(scope.kind === 'all' ? {} : { collectionId: { in: [...scope.ids] } }),
});

/** Returns a rule of the caller's team. Throws `not_found`, or `forbidden` outside the key's scope. */
export async function findSearchRule(
  { searchRule }: Pick<Prisma.TransactionClient, 'searchRule'>,
  caller: Caller,
  id: string,
): Promise<SearchRule> {
  const row = isId('search_rule', id) ? await searchRule.findFirst({ where: { id, teamId: caller.teamId } }) : null;
  if (row === null) throw notFound('search_rule', id);
  requireRuleScope(caller, row.collectionId);
  return row;
}
