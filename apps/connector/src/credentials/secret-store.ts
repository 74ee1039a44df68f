import { createSecrets, type Logger, type MasterKeys, type Sealed } from '@lectern/service-kit';
import type { Prisma, PrismaClient } from '#gen/prisma/client';

type Database = PrismaClient | Prisma.TransactionClient;

/** The connector of a secret. */
export interface SecretOwner {
  readonly id: string;
  readonly teamId: string;
}

/** An opened secret. */
interface Secret {
  readonly value: Readonly<Record<string, unknown>>;
  /** Number of credentials or authorizations stored so far. */
  readonly revision: number;
}

/**
 * The sealed secrets of connectors. No other code opens them. If a secret cannot be opened, logs it
 * and throws `unavailable`.
 */
export interface SecretStore {
  /** Throws `unavailable` if no master key is configured. */
  requireKeys(): MasterKeys;
  /** Stores new credentials or a new authorization. An empty value deletes the secret. */
  replace(tx: Database, owner: SecretOwner, value: Readonly<Record<string, unknown>>): Promise<void>;
  /** Stores refreshed tokens. The revision does not change. */
  refresh(tx: Database, owner: SecretOwner, value: Readonly<Record<string, unknown>>): Promise<void>;
  read(db: Database, owner: SecretOwner): Promise<Secret | undefined>;
  /** Opens a secret's row. */
  open(owner: SecretOwner, row: StoredSecret): Secret;
  /**
   * Seals a value for a row that is not a connector's secret. Throws `unavailable` without a master
   * key.
   */
  sealFor(row: string, team: string, value: unknown): Sealed;
  openFor(row: string, team: string, sealed: Sealed): unknown;
}

/** A sealed secret. */
export interface StoredSecret extends Sealed {
  readonly revision: number;
}

/** Creates a store. Without master keys it cannot store secrets. */
export function createSecretStore(keys: MasterKeys | undefined, log: Logger): SecretStore {
  const secrets = createSecrets(keys, log, { what: 'credentials', service: 'connector service' });
  const sealFor = (row: string, team: string, value: unknown) => secrets.seal(value, { row, team });
  const openFor = (row: string, team: string, sealed: Sealed) => secrets.open(sealed, { row, team });
  const open = ({ id, teamId }: SecretOwner, row: StoredSecret): Secret => {
    const value = openFor(id, teamId, row);
    if (typeof value !== 'object' || value === null) throw new TypeError('A sealed secret must be an object.');
    return { value: { ...value }, revision: row.revision };
  };
  return {
    requireKeys: secrets.requireKeys,
    replace: async (tx, { id: connectorId, teamId }, value) => {
      if (Object.keys(value).length === 0) {
        await tx.connectorSecret.deleteMany({ where: { connectorId } });
        return;
      }
      const sealed = sealFor(connectorId, teamId, value);
      await tx.connectorSecret.upsert({
        where: { connectorId },
        create: { connectorId, teamId, ...sealed },
        update: { ...sealed, revision: { increment: 1 } },
      });
    },
    refresh: async (tx, { id: connectorId, teamId }, value) => {
      await tx.connectorSecret.update({ where: { connectorId }, data: sealFor(connectorId, teamId, value) });
    },
    read: async (db, owner) => {
      const row = await db.connectorSecret.findUnique({ where: { connectorId: owner.id } });
      return row === null ? undefined : open(owner, row);
    },
    open,
    sealFor,
    openFor,
  };
}
