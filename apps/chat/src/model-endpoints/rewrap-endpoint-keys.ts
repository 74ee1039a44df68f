import { type Logger, logMissingKeys, REWRAP_BATCH, rewrapRows, type Secrets } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';

/** Rewraps the keys of model endpoints that an older master key wraps, and logs which master keys are missing. */
export async function rewrapEndpointKeys(
  db: PrismaClient,
  secrets: Pick<Secrets, 'keys'>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  await logMissingKeys(secrets, log, 'the keys of model endpoints', async (masterKeyVersion) => {
    const groups = await db.modelEndpoint.groupBy({
      by: ['masterKeyVersion'],
      where: { masterKeyVersion },
      _count: true,
    });
    return groups;
  });
  await rewrapRows(
    secrets,
    log,
    (where) => db.modelEndpoint.findMany({ where, orderBy: { id: 'asc' }, take: REWRAP_BATCH }),
    ({ id, wrappedKey }, data) => db.modelEndpoint.updateMany({ where: { id, wrappedKey }, data }),
    signal,
  );
}
