import type { Logger } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import type { MasterKeys } from './master-keys.ts';
import { rewrap, SealBroken } from './seal.ts';

const BATCH = 100;

export interface RewrapDependencies {
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly masterKeys: MasterKeys | undefined;
}

/** Names in the log each key that secrets are sealed with and that is not configured any more. */
async function nameMissingKeys({ db, log, masterKeys }: RewrapDependencies): Promise<void> {
  const groups = await db.connectorSecret.groupBy({
    by: ['masterKeyVersion'],
    where: { masterKeyVersion: { notIn: [...(masterKeys?.versions ?? [])] } },
    _count: true,
  });
  for (const { masterKeyVersion, _count: secrets } of groups) {
    log.error(
      { masterKeyVersion, secrets },
      `LECTERN_MASTER_KEYS lacks version ${masterKeyVersion}, which the credentials of ${secrets} connectors are sealed with: put that key back behind the first one, or give these connectors their credentials again`,
    );
  }
}

/**
 * Wraps every data key anew that an older master key wraps. Each row is changed by itself and only as it was read, so a read at any moment
 * finds a row that opens, and credentials that are given meanwhile stay. Replicas may run it at the same time. Afterwards the
 * older key may be retired.
 */
export async function rewrapSecrets(ctx: RewrapDependencies, signal: AbortSignal): Promise<void> {
  const { db, log, masterKeys } = ctx;
  await nameMissingKeys(ctx);
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
        log.error({ err, connectorId, masterKeyVersion }, 'credentials do not open and are not wrapped anew');
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) break;
    after = last.connectorId;
  }
  if (moved > 0) log.info({ secrets: moved, masterKeyVersion: masterKeys.current.version }, 'secrets are wrapped anew');
}
