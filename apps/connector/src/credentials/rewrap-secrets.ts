import { type Logger, logMissingKeys, type MasterKeys, REWRAP_BATCH, rewrapRows } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';

export interface RewrapDependencies {
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly masterKeys: MasterKeys | undefined;
}

/** Rewraps the credentials that an older master key wraps, and logs which master keys are missing. */
export async function rewrapSecrets(
  { db, log, masterKeys: keys }: RewrapDependencies,
  signal: AbortSignal,
): Promise<void> {
  await logMissingKeys({ keys }, log, 'the credentials of connectors', async (masterKeyVersion) => {
    const groups = await db.connectorSecret.groupBy({
      by: ['masterKeyVersion'],
      where: { masterKeyVersion },
      _count: true,
    });
    return groups;
  });
  await rewrapRows(
    { keys },
    log,
    async ({ id, masterKeyVersion }) => {
      const rows = await db.connectorSecret.findMany({
        where: { masterKeyVersion, connectorId: id },
        orderBy: { connectorId: 'asc' },
        take: REWRAP_BATCH,
      });
      return rows.map((row) => ({ ...row, id: row.connectorId }));
    },
    ({ connectorId, wrappedKey }, data) => db.connectorSecret.updateMany({ where: { connectorId, wrappedKey }, data }),
    signal,
  );
}
