import type { PrismaClient } from '#gen/prisma/client';

/** Lists all pairs with their teams, oldest first. */
export async function listKeys(db: PrismaClient, json: boolean): Promise<string> {
  const pairs = await db.keyPair.findMany({
    include: { team: true, keys: { where: { retiresAt: null } } },
    orderBy: { createdAt: 'asc' },
  });
  const rows = pairs.map(({ id, name, team, keys, createdAt, expiresAt, lastUsedAt, revokedAt }) => ({
    id,
    name,
    teamId: team.id,
    team: team.name,
    keys: keys.map(({ kind, lastFour }) => ({ kind, lastFour })),
    createdAt,
    expiresAt,
    lastUsedAt,
    revokedAt,
  }));
  if (json) return JSON.stringify(rows);
  if (rows.length === 0) return 'There are no keys yet.';
  return rows
    .map(({ id, team, createdAt, revokedAt }) => {
      const state = revokedAt === null ? 'active' : `revoked ${revokedAt.toISOString()}`;
      return `${id}  ${team}  created ${createdAt.toISOString()}  ${state}`;
    })
    .join('\n');
}
