import { type Logger, type MasterKeys, rewrap, SealBroken } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';

const BATCH = 100;

export interface RewrapDependencies {
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly masterKeys: MasterKeys | undefined;
}

/** Logs each master key that stored secrets need but that is not configured. */
async function logMissingKeys({ db, log, masterKeys }: RewrapDependencies): Promise<void> {
  const groups = await db.connectorSecret.groupBy({
    by: ['masterKeyVersion'],
    where: { masterKeyVersion: { notIn: [...(masterKeys?.versions ?? [])] } },
    _count: true,
  });
  for (const { masterKeyVersion, _count: secrets } of groups) {
    log.error(
      { masterKeyVersion, secrets },
      `LECTERN_MASTER_KEYS has no key of version ${masterKeyVersion}, which the credentials of ${secrets} connectors need: add that key after the first one, or enter the credentials of these connectors again`,
    );
  }
}

/**
 * Rewraps every data key that an older master key wraps. The older key can then be removed. Each
 * row is updated separately and only if it has not changed, so reads always succeed and new
 * credentials are never overwritten. Replicas can run it in parallel.
 */
export async function rewrapSecrets(ctx: RewrapDependencies, signal: AbortSignal): Promise<void> {
  const { db, log, masterKeys } = ctx;
  await logMissingKeys(ctx);
  if (masterKeys === undefined) return;
  const older = masterKeys.versions.filter((version) => version !== masterKeys.current.version);
  let moved = 0;
  for (let after = ''; !signal.aborted; ) {
    const rows = await db.connectorSecret.findMany({
      where: { masterKeyVersion: { in: older }, connectorId: { gt: after } },
      orderBy: { connectorId: 'asc' },
      take: BATCH,
    });
    for (const { connectorId, teamId, wrappedKey, masterKeyVersion } of rows) {
      try {
        const wrapped = rewrap(masterKeys, { wrappedKey, masterKeyVersion }, { row: connectorId, team: teamId });
        const { count } = await db.connectorSecret.updateMany({ where: { connectorId, wrappedKey }, data: wrapped });
        moved += count;
      } catch (err) {
        if (!(err instanceof SealBroken)) throw err;
        log.error(
          { err, connectorId, masterKeyVersion },
          'could not rewrap credentials, because they cannot be opened',
        );
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) break;
    after = last.connectorId;
  }
  if (moved > 0) log.info({ secrets: moved, masterKeyVersion: masterKeys.current.version }, 'rewrapped secrets');
}
