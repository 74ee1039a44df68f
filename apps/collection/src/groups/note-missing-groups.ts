import type { Prisma } from '#gen/prisma/client';

/** Returns the principals that are groups of a connector. */
export const connectorGroupsIn = (principals: readonly string[]): string[] =>
  principals.filter((text) => text.startsWith('group:') && !text.startsWith('group:domain:'));

/**
 * Records groups that a connector's documents name but that its newest import does not include.
 * According to that import they have no members, and older imports by other connectors are ignored.
 * With `renew`, groups that were already gone are marked as gone as of the newest import.
 */
export async function noteMissingGroups(
  tx: Prisma.TransactionClient,
  { connectorId, renew }: { readonly connectorId: string; readonly renew: boolean },
  principals: readonly string[],
): Promise<void> {
  const groups = connectorGroupsIn(principals);
  if (groups.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO groups (connector_id, principal, team_id, generation, read_at, is_gone)
    SELECT r.connector_id, named.principal, r.team_id, r.completed_generation, r.completed_at, true
    FROM group_readings AS r, (SELECT DISTINCT unnest(${groups}::text[]) AS principal) AS named
    WHERE r.connector_id = ${connectorId} AND r.completed_at IS NOT NULL AND r.removed_at IS NULL
    ON CONFLICT (connector_id, principal) DO UPDATE SET read_at = excluded.read_at, generation = excluded.generation
      WHERE ${renew}::boolean AND groups.is_gone`;
}
