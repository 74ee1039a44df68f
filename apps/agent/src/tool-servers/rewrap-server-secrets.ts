import { type Logger, logMissingKeys, REWRAP_BATCH, rewrapRows, type Secrets } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';

/** Rewraps the secrets of tool servers that an older master key wraps, and logs which master keys are missing. */
export async function rewrapServerSecrets(
  db: PrismaClient,
  secrets: Pick<Secrets, 'keys'>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  await logMissingKeys(secrets, log, 'the secrets of tool servers', async (masterKeyVersion) => {
    const groups = await db.toolServer.groupBy({ by: ['masterKeyVersion'], where: { masterKeyVersion }, _count: true });
    return groups;
  });
  await rewrapRows(
    secrets,
    log,
    (where) => db.toolServer.findMany({ where, orderBy: { id: 'asc' }, take: REWRAP_BATCH }),
    ({ id, wrappedKey }, data) => db.toolServer.updateMany({ where: { id, wrappedKey }, data }),
    signal,
  );
}
