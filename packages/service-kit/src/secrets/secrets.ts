import { AppError } from '#errors/app-error';
import type { Logger } from '#logging';
import type { MasterKeys } from '#secrets/master-keys';
import { MasterKeyMissing, SealBroken, type Sealed, type SealedFor, seal, unseal } from '#secrets/seal';

/** Seals values with the master keys of the installation. */
export interface Secrets {
  /** Undefined if none are configured. */
  readonly keys: MasterKeys | undefined;
  /** Throws `unavailable` if none are configured. */
  requireKeys(): MasterKeys;
  /** Throws `unavailable` without a master key. */
  seal(value: unknown, owner: SealedFor): Sealed;
  /** Throws `unavailable` if the value cannot be opened, and logs why. */
  open(sealed: Sealed, owner: SealedFor): unknown;
}

/** Words for the messages: `what` is sealed, for example `client secrets`, by `service`. */
export interface SecretsOf {
  readonly what: string;
  readonly service: string;
}

/** Creates the seal of a service. Without master keys it cannot store secrets. */
export function createSecrets(keys: MasterKeys | undefined, log: Logger, { what, service }: SecretsOf): Secrets {
  const requireKeys = (): MasterKeys => {
    if (keys !== undefined) return keys;
    throw new AppError(
      'unavailable',
      `This installation cannot store ${what}. Set LECTERN_MASTER_KEYS for the ${service} (openssl rand -base64 32), the same for all services.`,
    );
  };
  return {
    keys,
    requireKeys,
    seal: (value, owner) => seal(requireKeys(), value, owner),
    open: (sealed, owner) => {
      try {
        return unseal(requireKeys(), sealed, owner);
      } catch (error) {
        if (!(error instanceof MasterKeyMissing) && !(error instanceof SealBroken)) throw error;
        log.error({ err: error, row: owner.row, masterKeyVersion: sealed.masterKeyVersion }, 'could not open a secret');
        throw new AppError(
          'unavailable',
          `Stored ${what} cannot be opened with the configured LECTERN_MASTER_KEYS. Check the log of the ${service}.`,
          { cause: error },
        );
      }
    },
  };
}
