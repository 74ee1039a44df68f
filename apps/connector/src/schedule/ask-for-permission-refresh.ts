import type { Prisma } from '#gen/prisma/client';

/** Has the documents of a connector, where there are any, given their permissions anew as soon as no job is at work. */
export async function askForPermissionRefresh(tx: Prisma.TransactionClient, connectorId: string): Promise<void> {
  await tx.syncState.updateMany({ where: { connectorId }, data: { permissionsDue: true } });
}
