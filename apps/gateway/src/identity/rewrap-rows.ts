import { type Logger, rewrap, SealBroken, type Sealed, type Secrets } from '@lectern/service-kit';

/** A row with a sealed secret. */
interface SealedRow extends Sealed {
  readonly id: string;
  readonly teamId: string;
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
 * Logs how many, and those that cannot be opened.
 */
export async function rewrapRows<Row extends SealedRow>(
  { keys }: Secrets,
  log: Logger,
  read: (where: RowsToRewrap) => Promise<readonly Row[]>,
  update: (row: Row, data: Pick<Sealed, 'wrappedKey' | 'masterKeyVersion'>) => Promise<unknown>,
): Promise<void> {
  if (keys === undefined) return;
  const older = keys.versions.filter((version) => version !== keys.current.version);
  let rewrapped = 0;
  for (let after = ''; ; ) {
    const rows = await read({ masterKeyVersion: { in: older }, id: { gt: after } });
    for (const row of rows) {
      const { id, teamId, masterKeyVersion } = row;
      try {
        await update(row, rewrap(keys, row, { row: id, team: teamId }));
        rewrapped += 1;
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
