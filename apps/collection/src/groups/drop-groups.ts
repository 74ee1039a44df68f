import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';

export interface DroppedGroups {
  readonly teamId: string;
  readonly connectorId: string;
  /** True if the connector was deleted. Its groups are deleted too. */
  readonly deleted: boolean;
}

/**
 * Deletes all group data of deleted connectors. Ids are never reused, so messages that arrive later
 * are ignored.
 */
export async function forgetGroups(
  tx: Prisma.TransactionClient,
  teamId: string,
  connectorIds: readonly string[],
): Promise<void> {
  const connectors = { teamId, connectorId: { in: [...connectorIds] } };
  const removedAt = new Date();
  await tx.groupReading.createMany({
    data: connectorIds.map((connectorId) => ({ connectorId, teamId })),
    skipDuplicates: true,
  });
  await tx.groupReading.updateMany({ where: { ...connectors, removedAt: null }, data: { removedAt } });
  await tx.groupPart.deleteMany({ where: { connectorId: connectors.connectorId } });
  await tx.group.deleteMany({ where: connectors });
}

/**
 * Removes members that can no longer be read. The groups are kept and marked as gone as of the
 * import that included them: older imports by other connectors must not restore their members, but
 * newer imports do.
 */
export async function dropGroups({ db }: Context, { teamId, connectorId, deleted }: DroppedGroups): Promise<void> {
  await db.$transaction(async (tx) => {
    if (deleted) return forgetGroups(tx, teamId, [connectorId]);
    await tx.$queryRaw`SELECT connector_id FROM group_readings WHERE connector_id = ${connectorId} FOR UPDATE`;
    await tx.groupMember.deleteMany({ where: { teamId, connectorId } });
    await tx.group.updateMany({ where: { teamId, connectorId }, data: { isGone: true } });
    await tx.groupPart.deleteMany({ where: { connectorId } });
    await tx.groupReading.updateMany({
      where: { teamId, connectorId },
      data: { openGeneration: null, openedAt: null },
    });
  });
}
