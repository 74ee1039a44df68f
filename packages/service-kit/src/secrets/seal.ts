import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { MasterKey, MasterKeys } from '#secrets/master-keys';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/**
 * NIST SP 800-38D recommends 96 bits. Random nonces are safe because each data key seals few
 * values.
 */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Bytes = Uint8Array<ArrayBuffer>;

/** A sealed value as stored in its row. */
export interface Sealed {
  /** Nonce, ciphertext and tag under this row's data key. */
  readonly sealed: Bytes;
  /** Nonce, data key and tag under the master key. */
  readonly wrappedKey: Bytes;
  readonly masterKeyVersion: number;
}

/** The row and team of a sealed value. It can be opened only for them. */
export interface SealedFor {
  readonly row: string;
  readonly team: string;
}

/** The master key of a sealed value is not configured. */
export class MasterKeyMissing extends Error {
  override readonly name = 'MasterKeyMissing';
  readonly version: number;

  constructor(version: number) {
    super(
      `LECTERN_MASTER_KEYS has no key of version ${version}, which stored credentials need. Add that key after the first one.`,
    );
    this.version = version;
  }
}

/**
 * The value cannot be opened: the key of this version is different, or the row was changed or
 * moved.
 */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

const dataContext = ({ row, team }: SealedFor) => Buffer.from(`lectern-sealed-1\n${row}\n${team}`);
const keyContext = ({ row, team }: SealedFor, version: number) =>
  Buffer.from(`lectern-wrapped-1\n${version}\n${row}\n${team}`);

function encrypt(key: KeyObject, plain: Uint8Array, context: Buffer): Bytes {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(context);
  return Uint8Array.from(Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
}

function decrypt(key: KeyObject, bytes: Uint8Array, context: Buffer): Buffer {
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(bytes.length - TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(context).setAuthTag(tag);
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new SealBroken('Sealed credentials cannot be opened with this key, row and team.', {
      cause: error,
    });
  }
}

const wrap = (master: MasterKey, dataKey: Uint8Array, owner: SealedFor) =>
  encrypt(master.key, dataKey, keyContext(owner, master.version));

function unwrap(keys: MasterKeys, { wrappedKey, masterKeyVersion }: Omit<Sealed, 'sealed'>, owner: SealedFor): Buffer {
  const master = keys.find(masterKeyVersion);
  if (master === undefined) throw new MasterKeyMissing(masterKeyVersion);
  return decrypt(master.key, wrappedKey, keyContext(owner, masterKeyVersion));
}

/**
 * Seals a JSON value for one row of one team: AES-256-GCM with a new data key, wrapped by the
 * current master key.
 */
export function seal(keys: MasterKeys, value: unknown, owner: SealedFor): Sealed {
  const dataKey = randomBytes(KEY_BYTES);
  const sealed = encrypt(createSecretKey(dataKey), Buffer.from(JSON.stringify(value)), dataContext(owner));
  return { sealed, wrappedKey: wrap(keys.current, dataKey, owner), masterKeyVersion: keys.current.version };
}

/** Opens a sealed value of the same row and team. Throws `MasterKeyMissing` or `SealBroken`. */
export function unseal(keys: MasterKeys, value: Sealed, owner: SealedFor): unknown {
  const dataKey = createSecretKey(unwrap(keys, value, owner));
  return JSON.parse(decrypt(dataKey, value.sealed, dataContext(owner)).toString());
}

/**
 * Wraps the data key of a value with the current master key. The ciphertext does not change. Throws
 * the same errors as `unseal`.
 */
export function rewrap(keys: MasterKeys, value: Omit<Sealed, 'sealed'>, owner: SealedFor): Omit<Sealed, 'sealed'> {
  const dataKey = unwrap(keys, value, owner);
  return { wrappedKey: wrap(keys.current, dataKey, owner), masterKeyVersion: keys.current.version };
}
