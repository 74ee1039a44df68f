import { type Logger, type MasterKeys, rewrap, SealBroken } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';

const BATCH = 100;

/**
 * Rewraps the data keys that an older master key wraps, so that the older key can be removed. A row
 * is updated only if it has not changed. Replicas can run it in parallel.
 */
export async function rewrapServerSecrets(
  db: PrismaClient,
  keys: MasterKeys | undefined,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  if (keys === undefined) return;
  const older = keys.versions.filter((version) => version !== keys.current.version);
  for (let after = ''; !signal.aborted; ) {
    const rows = await db.toolServer.findMany({
      where: { masterKeyVersion: { in: older }, id: { gt: after } },
      orderBy: { id: 'asc' },
      take: BATCH,
    });
    for (const { id, teamId, wrappedKey, masterKeyVersion } of rows) {
      if (wrappedKey === null || masterKeyVersion === null) continue;
      try {
        const data = rewrap(keys, { wrappedKey, masterKeyVersion }, { row: id, team: teamId });
        await db.toolServer.updateMany({ where: { id, wrappedKey }, data });
      } catch (err) {
        if (!(err instanceof SealBroken)) throw err;
        log.error({ err, serverId: id, masterKeyVersion }, 'could not rewrap the secrets of a tool server');
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.id;
  }
}
