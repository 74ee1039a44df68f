import type { Logger } from '#logging';
import { rewrap, SealBroken, type Sealed } from '#secrets/seal';
import type { Secrets } from '#secrets/secrets';

/** A row that can have a sealed secret. */
interface SealedRow {
  readonly id: string;
  readonly teamId: string;
  readonly wrappedKey: Sealed['wrappedKey'] | null;
  readonly masterKeyVersion: number | null;
}

/** What `read` finds. */
export interface RowsToRewrap {
  /** Of rows that one of these master keys wraps. */
  readonly masterKeyVersion: { readonly in: number[] };
  /** In the order of ids. */
  readonly id: { readonly gt: string };
}

/** The maximum number of rows in one read. */
export const REWRAP_BATCH = 1_000;

/**
 * Rewraps the data keys of all rows that an older master key wraps, so that the older key can be removed.
 * Logs how many, and those that cannot be opened. `update` must change a row only if its data key is still
 * the same: replicas can run this in parallel.
 */
export async function rewrapRows<Row extends SealedRow>(
  { keys }: Pick<Secrets, 'keys'>,
  log: Logger,
  read: (where: RowsToRewrap) => Promise<readonly Row[]>,
  update: (
    row: Row & Pick<Sealed, 'wrappedKey' | 'masterKeyVersion'>,
    data: Pick<Sealed, 'wrappedKey' | 'masterKeyVersion'>,
  ) => Promise<{ readonly count: number }>,
  signal?: AbortSignal,
): Promise<void> {
  if (keys === undefined) return;
  const older = keys.versions.filter((version) => version !== keys.current.version);
  let rewrapped = 0;
  for (let after = ''; signal?.aborted !== true; ) {
    const rows = await read({ masterKeyVersion: { in: older }, id: { gt: after } });
    for (const row of rows) {
      const { id, teamId, wrappedKey, masterKeyVersion } = row;
      if (wrappedKey === null || masterKeyVersion === null) continue;
      try {
        const value = { wrappedKey, masterKeyVersion };
        const data = rewrap(keys, value, { row: id, team: teamId });
        rewrapped += (await update({ ...row, ...value }, data)).count;
      } catch (err) {
        if (!(err instanceof SealBroken)) throw err;
        log.error({ err, id, masterKeyVersion }, 'could not rewrap a secret');
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < REWRAP_BATCH) break;
    after = last.id;
  }
  if (rewrapped > 0) log.info({ rewrapped, masterKeyVersion: keys.current.version }, 'rewrapped secrets');
}

/** The number of rows that a master key wraps. */
interface WrappedRows {
  readonly masterKeyVersion: number | null;
  readonly _count: number;
}

/**
 * Logs each master key that stored secrets need but that is not configured. `what` names the secrets.
 * `count` counts those of other versions, grouped by version.
 */
export async function logMissingKeys(
  { keys }: Pick<Secrets, 'keys'>,
  log: Logger,
  what: string,
  count: (masterKeyVersion: { readonly notIn: number[] }) => Promise<readonly WrappedRows[]>,
): Promise<void> {
  for (const { masterKeyVersion, _count: rows } of await count({ notIn: [...(keys?.versions ?? [])] })) {
    if (masterKeyVersion === null) continue;
    log.error(
      { masterKeyVersion, rows },
      `LECTERN_MASTER_KEYS has no key of version ${masterKeyVersion}, which ${rows} of ${what} need: add that key after the first one, or enter these secrets again`,
    );
  }
}
