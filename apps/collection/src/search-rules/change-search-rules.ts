import { AppError } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Prisma, SearchRule } from '#gen/prisma/client';
import type { RuleContent } from '#search-rules/search-rule-record';

/** The maximum number of a team's rules. Searches keep them all in memory. */
export const MAX_RULES = 1_000;

/** Milliseconds allowed for a large import. */
const CHANGE_MS = 30_000;

/**
 * Changes a team's rules in one transaction, so that the next search uses the result. Changes of one
 * team run one after another. `lockFirst` locks the collection that the change names: before the
 * team's rules, in the same order as when a collection is deleted. Throws `conflict` beyond the
 * limit of a team.
 */
export function changeSearchRules<T>(
  { db }: Context,
  teamId: string,
  change: (tx: Prisma.TransactionClient) => Promise<T>,
  lockFirst?: (tx: Prisma.TransactionClient) => Promise<unknown>,
): Promise<T> {
  const run = async (tx: Prisma.TransactionClient) => {
    await lockFirst?.(tx);
    await startNewVersion(tx, teamId);
    const result = await change(tx);
    if ((await tx.searchRule.count({ where: { teamId } })) > MAX_RULES) {
      throw new AppError(
        'conflict',
        `A team can have at most ${MAX_RULES} search rules. Delete rules that are not needed.`,
      );
    }
    return result;
  };
  return db.$transaction(run, { timeout: CHANGE_MS });
}

/** Locks the team's rules until the transaction ends, and gives them a new version. */
async function startNewVersion(tx: Prisma.TransactionClient, teamId: string): Promise<void> {
  const version = crypto.randomUUID();
  await tx.searchRuleVersion.upsert({ where: { teamId }, create: { teamId, version }, update: { version } });
}

/** Returns what distinguishes the rules of one collection, or of the whole team. */
export const ruleKey = ({ query, match }: Pick<RuleContent, 'query'> & { readonly match: string }): string =>
  JSON.stringify([match, query.normalize('NFKC').toLowerCase()]);

/** Throws `conflict` if another rule of the same collection is for the same words. */
export async function requireUniqueWords(
  tx: Prisma.TransactionClient,
  { id, teamId, collectionId, ...rule }: Pick<SearchRule, 'id' | 'teamId' | 'collectionId' | 'query' | 'match'>,
): Promise<void> {
  const others = await tx.searchRule.findMany({ where: { teamId, collectionId, id: { not: id } } });
  const other = others.find((row) => ruleKey(row) === ruleKey(rule));
  if (other === undefined) return;
  throw new AppError('conflict', `The rule ${other.id} is for the same words. Change that rule.`, {
    details: { ruleId: other.id },
  });
}

/** Deletes the rules of a collection that is being deleted. */
export async function deleteCollectionRules(
  tx: Prisma.TransactionClient,
  teamId: string,
  collectionId: string,
): Promise<void> {
  const where = { teamId, collectionId };
  if ((await tx.searchRule.count({ where })) === 0) return;
  await startNewVersion(tx, teamId);
  await tx.searchRule.deleteMany({ where });
}
