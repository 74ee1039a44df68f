import {
  AppError,
  type Logger,
  MasterKeyMissing,
  type MasterKeys,
  SealBroken,
  type Sealed,
  seal,
  unseal,
} from '@lectern/service-kit';
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

const NO_KEYS =
  'This installation cannot store credentials. Set LECTERN_MASTER_KEYS for the connector service (openssl rand -base64 32).';
const UNREADABLE =
  'Stored credentials cannot be opened with the configured LECTERN_MASTER_KEYS. Check the log of the connector service.';

/** A sealed secret. */
export interface StoredSecret extends Sealed {
  readonly revision: number;
}

/** Creates a store. Without master keys it cannot store secrets. */
export function createSecretStore(keys: MasterKeys | undefined, log: Logger): SecretStore {
  const requireKeys = (): MasterKeys => {
    if (keys === undefined) throw new AppError('unavailable', NO_KEYS);
    return keys;
  };
  const sealFor = (row: string, team: string, value: unknown) => seal(requireKeys(), value, { row, team });
  const openFor = (row: string, team: string, sealed: Sealed): unknown => {
    try {
      return unseal(requireKeys(), sealed, { row, team });
    } catch (error) {
      if (!(error instanceof MasterKeyMissing) && !(error instanceof SealBroken)) throw error;
      log.error({ err: error, row, masterKeyVersion: sealed.masterKeyVersion }, 'could not decrypt stored credentials');
      throw new AppError('unavailable', UNREADABLE, { cause: error });
    }
  };
  const open = ({ id, teamId }: SecretOwner, row: StoredSecret): Secret => {
    const value = openFor(id, teamId, row);
    if (typeof value !== 'object' || value === null) throw new TypeError('A sealed secret must be an object.');
    return { value: { ...value }, revision: row.revision };
  };
  return {
    requireKeys,
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
