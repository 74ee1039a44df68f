import { toPrincipal, toPrincipals } from '@lectern/contracts';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { noteMissingGroups } from '#groups/note-missing-groups';

export interface GroupImportPart {
  readonly teamId: string;
  readonly connectorId: string;
  /** The same for every part of one import. */
  readonly generation: string;
  readonly groups: readonly { readonly principal: string; readonly members: readonly string[] }[];
  /** True for the last part: from then on this import counts. */
  readonly complete: boolean;
  /** Number of the part. Part 0 opens the import. */
  readonly part: number;
  /** True if the import was cancelled. It does not count as failed. */
  readonly cancelled: boolean;
}

/** Locks the row of a connector's imports; the first import creates it. */
async function lockImportState(tx: Prisma.TransactionClient, { teamId, connectorId }: GroupImportPart) {
  await tx.groupReading.createMany({ data: [{ connectorId, teamId }], skipDuplicates: true });
  const [row] = await tx.$queryRaw<{ openGeneration: string | null; isRemoved: boolean }[]>`
    SELECT open_generation AS "openGeneration", removed_at IS NOT NULL AS "isRemoved"
    FROM group_readings WHERE connector_id = ${connectorId} AND team_id = ${teamId} FOR UPDATE`;
  return row;
}

/**
 * Opens an import and replaces an earlier one that did not finish. Both use the database's clock,
 * so clock differences between replicas do not matter.
 */
async function open(tx: Prisma.TransactionClient, { connectorId, generation }: GroupImportPart): Promise<void> {
  await tx.groupPart.deleteMany({ where: { connectorId } });
  await tx.$executeRaw`
    UPDATE group_readings
    SET open_generation = ${generation}, opened_at = clock_timestamp(),
        failing_since = coalesce(failing_since, clock_timestamp())
    WHERE connector_id = ${connectorId}`;
}

/**
 * Drops the open import. Imports that failed before it still count: only a `failing_since` that
 * this import set is cleared (it is stored with fewer digits than `opened_at`).
 */
async function cancel(tx: Prisma.TransactionClient, { connectorId }: GroupImportPart): Promise<void> {
  await tx.groupPart.deleteMany({ where: { connectorId } });
  await tx.$executeRaw`
    UPDATE group_readings
    SET open_generation = NULL, opened_at = NULL,
        failing_since = CASE WHEN failing_since < opened_at - interval '1 millisecond' THEN failing_since END
    WHERE connector_id = ${connectorId}`;
}

/**
 * Makes the parts of the open import effective. Groups that the connector had, or that its
 * documents name, but that this import does not include are kept and marked as gone: older imports
 * by other connectors must not restore their members.
 */
async function complete(
  tx: Prisma.TransactionClient,
  { teamId, connectorId, generation }: GroupImportPart,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE group_readings
    SET completed_generation = ${generation}, completed_at = opened_at, open_generation = NULL, opened_at = NULL,
        failing_since = NULL
    WHERE connector_id = ${connectorId}`;
  await tx.groupMember.deleteMany({ where: { connectorId } });
  await tx.group.deleteMany({
    where: { connectorId, principal: { in: await partsOf(tx, connectorId) } },
  });
  await tx.$executeRaw`
    UPDATE groups AS g SET is_gone = true, generation = ${generation}, read_at = r.completed_at
    FROM group_readings AS r
    WHERE g.connector_id = ${connectorId} AND r.connector_id = g.connector_id AND NOT g.is_gone`;
  await tx.$executeRaw`
    INSERT INTO groups (connector_id, principal, team_id, generation, read_at)
    SELECT p.connector_id, p.principal, ${teamId}, ${generation}, r.completed_at
    FROM group_parts AS p JOIN group_readings AS r USING (connector_id) WHERE p.connector_id = ${connectorId}
    ON CONFLICT (connector_id, principal)
    DO UPDATE SET generation = excluded.generation, read_at = excluded.read_at, is_gone = false`;
  await tx.$executeRaw`
    INSERT INTO group_members (connector_id, principal, member, team_id)
    SELECT connector_id, principal, unnest(members), ${teamId} FROM group_parts WHERE connector_id = ${connectorId}`;
  await tx.groupPart.deleteMany({ where: { connectorId } });
  const named = await tx.$queryRaw<{ principal: string }[]>`
    SELECT DISTINCT unnest(principals) AS principal FROM documents
    WHERE connector_id = ${connectorId} AND team_id = ${teamId} AND status <> 'deleted'`;
  await noteMissingGroups(
    tx,
    { connectorId, renew: true },
    named.map(({ principal }) => principal),
  );
}

async function partsOf(tx: Prisma.TransactionClient, connectorId: string): Promise<string[]> {
  const rows = await tx.groupPart.findMany({ where: { connectorId }, select: { principal: true } });
  return rows.map(({ principal }) => principal);
}

/**
 * Stores one part of an import of a connector's groups. The last part makes the import effective.
 * Idempotent.
 */
export async function replaceGroups({ db }: Context, request: GroupImportPart): Promise<void> {
  const { connectorId, generation } = request;
  // Documents cannot name such a group, and one invalid group must not fail the others.
  const named = request.groups.filter(({ principal }) => toPrincipal(principal) === principal);
  const groups = [...new Map(named.map((group) => [group.principal, group])).values()];
  const principals = groups.map(({ principal }) => principal);
  await db.$transaction(
    async (tx) => {
      const state = await lockImportState(tx, request);
      if (state === undefined || state.isRemoved) return;
      if (state.openGeneration !== generation) {
        if (request.part > 0 || request.cancelled) return;
        await open(tx, request);
      }
      if (request.cancelled) return cancel(tx, request);
      await tx.groupPart.deleteMany({ where: { connectorId, principal: { in: principals } } });
      await tx.groupPart.createMany({
        data: groups.map(({ principal, members }) => ({ connectorId, principal, members: toPrincipals(members) })),
      });
      if (request.complete) await complete(tx, request);
    },
    { timeout: 30_000 },
  );
}
