import { AppError, type Logger } from '@lectern/service-kit';
import type { Prisma, PrismaClient } from '#gen/prisma/client';
import type { MasterKeys } from './master-keys.ts';
import { MasterKeyMissing, SealBroken, type Sealed, seal, unseal } from './seal.ts';

type Database = PrismaClient | Prisma.TransactionClient;

/** Whose secret it is. */
export interface SecretOwner {
  readonly id: string;
  readonly teamId: string;
}

/** An opened secret. */
export interface Secret {
  readonly value: Readonly<Record<string, unknown>>;
  /** Counts the credentials or authorisations given so far. */
  readonly revision: number;
}

/** The sealed secrets of connectors: the only place that opens one. What cannot be opened is logged, and throws `unavailable`. */
export interface SecretStore {
  /** Throws `unavailable`, naming the setting, where nothing can be sealed. */
  requireKeys(): MasterKeys;
  /** Keeps new credentials or a new authorisation; an empty value takes the secret away. */
  give(tx: Database, owner: SecretOwner, value: Readonly<Record<string, unknown>>): Promise<void>;
  /** Replaces what is kept without calling it new: a refreshed token. */
  refresh(tx: Database, owner: SecretOwner, value: Readonly<Record<string, unknown>>): Promise<void>;
  read(db: Database, owner: SecretOwner): Promise<Secret | undefined>;
  /** Seals something that is no connector's, for a row of its own. Throws `unavailable` without a master key. */
  sealFor(row: string, team: string, value: unknown): Sealed;
  openFor(row: string, team: string, sealed: Sealed): unknown;
}

const NO_KEYS =
  'This installation cannot keep credentials: set LECTERN_MASTER_KEYS for the connector service (openssl rand -base64 32).';
const UNREADABLE = 'Stored credentials cannot be opened with the present LECTERN_MASTER_KEYS. See the service log.';

/** A store over the master keys; without them it refuses to keep anything. */
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
      log.error({ err: error, row, masterKeyVersion: sealed.masterKeyVersion }, 'stored credentials cannot be opened');
      throw new AppError('unavailable', UNREADABLE, { cause: error });
    }
  };
  return {
    requireKeys,
    give: async (tx, { id: connectorId, teamId }, value) => {
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
    read: async (db, { id: connectorId, teamId }) => {
      const row = await db.connectorSecret.findUnique({ where: { connectorId } });
      if (row === null) return undefined;
      const value = openFor(connectorId, teamId, row);
      if (typeof value !== 'object' || value === null) throw new TypeError('A sealed secret is no object.');
      return { value: { ...value }, revision: row.revision };
    },
    sealFor,
    openFor,
  };
}
