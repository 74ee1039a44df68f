import {
  AppError,
  type Logger,
  MasterKeyMissing,
  type MasterKeys,
  SealBroken,
  type Sealed,
  type SealedFor,
  seal,
  unseal,
} from '@lectern/service-kit';

/** Seals texts with the master keys of the installation. */
export interface Secrets {
  /** Undefined if none are configured. */
  readonly keys: MasterKeys | undefined;
  /** Throws `unavailable` without a master key. */
  seal(text: string, owner: SealedFor): Sealed;
  /** Throws `unavailable` if the text cannot be opened, and logs why. */
  open(sealed: Sealed, owner: SealedFor): string;
}

const NO_KEYS =
  'This installation cannot store client secrets. Set LECTERN_MASTER_KEYS for the gateway, the same as for the connector service.';
const UNREADABLE =
  'A stored client secret cannot be opened with the configured LECTERN_MASTER_KEYS. Check the log of the gateway.';

export function createSecrets(keys: MasterKeys | undefined, log: Logger): Secrets {
  const requireKeys = (): MasterKeys => {
    if (keys === undefined) throw new AppError('unavailable', NO_KEYS);
    return keys;
  };
  return {
    keys,
    seal: (text, owner) => seal(requireKeys(), text, owner),
    open: (sealed, owner) => {
      try {
        return String(unseal(requireKeys(), sealed, owner));
      } catch (error) {
        if (!(error instanceof MasterKeyMissing) && !(error instanceof SealBroken)) throw error;
        log.error({ err: error, row: owner.row, masterKeyVersion: sealed.masterKeyVersion }, 'could not open a secret');
        throw new AppError('unavailable', UNREADABLE, { cause: error });
      }
    },
  };
}
