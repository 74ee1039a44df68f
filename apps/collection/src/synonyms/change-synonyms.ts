import { AppError } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';

/**
 * The limits of a team's custom synonyms. Searches keep them all in memory. Pairs are the terms that
 * a query can contain times the terms that they find.
 */
export const TEAM_LIMITS = { synonyms: 5_000, characters: 500_000, pairs: 100_000 } as const;

/** Milliseconds allowed for a large import. */
const CHANGE_MS = 30_000;

/**
 * Changes a team's synonyms in one transaction, so that the next search uses the result. Changes of one
 * team run one after another. `lockFirst` locks the collection that the change names: before the
 * team's synonyms, in the same order as when a collection is deleted. Throws `conflict` beyond the
 * limits of a team.
 */
export function changeSynonyms<T>(
  { db }: Context,
  teamId: string,
  change: (tx: Prisma.TransactionClient) => Promise<T>,
  lockFirst?: (tx: Prisma.TransactionClient) => Promise<unknown>,
): Promise<T> {
  const run = async (tx: Prisma.TransactionClient) => {
    await lockFirst?.(tx);
    await startNewVersion(tx, teamId);
    const result = await change(tx);
    await requireWithinLimits(tx, teamId);
    return result;
  };
  return db.$transaction(run, { timeout: CHANGE_MS });
}

/** Locks the team's synonyms until the transaction ends, and gives them a new version. */
async function startNewVersion(tx: Prisma.TransactionClient, teamId: string): Promise<void> {
  const version = crypto.randomUUID();
  await tx.synonymSettings.upsert({ where: { teamId }, create: { teamId, version }, update: { version } });
}

interface TeamSize {
  readonly count: number;
  readonly characters: number;
  readonly pairs: number;
}

async function requireWithinLimits(tx: Prisma.TransactionClient, teamId: string): Promise<void> {
  const [size] = await tx.$queryRaw<readonly TeamSize[]>`
    SELECT count(*)::int AS count, coalesce(sum(length(array_to_string(input || terms, ' '))), 0)::int AS characters,
      coalesce(sum(coalesce(nullif(cardinality(input), 0), cardinality(terms)) * cardinality(terms)), 0)::int AS pairs
    FROM synonyms WHERE team_id = ${teamId}`;
  const { count = 0, characters = 0, pairs = 0 } = size ?? {};
  if (count > TEAM_LIMITS.synonyms) throw tooMany(`${TEAM_LIMITS.synonyms} custom synonyms`);
  if (characters > TEAM_LIMITS.characters) throw tooMany(`${TEAM_LIMITS.characters} characters in custom synonyms`);
  if (pairs > TEAM_LIMITS.pairs) {
    throw tooMany(`${TEAM_LIMITS.pairs} pairs of terms in custom synonyms; a two-way synonym of 10 terms has 100`);
  }
}

const tooMany = (limit: string) =>
  new AppError('conflict', `A team can have at most ${limit}. Delete synonyms that are not needed.`);

/** Deletes the synonyms of a collection that is being deleted. */
export async function deleteCollectionSynonyms(
  tx: Prisma.TransactionClient,
  teamId: string,
  collectionId: string,
): Promise<void> {
  const where = { teamId, collectionId };
  if ((await tx.synonym.count({ where })) === 0) return;
  await startNewVersion(tx, teamId);
  await tx.synonym.deleteMany({ where });
}
