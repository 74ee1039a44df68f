import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** The parameters that OWASP recommends for argon2id. A hash contains those it was created with. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

const FORMAT = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]{22})\$([\w+/]{43})$/;

interface Parameters {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

const DEFAULTS: Parameters = { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES };

/** Stored for a person without a password. No password matches it. */
export const NO_PASSWORD = 'none';

/** The same password can be typed as different code points (NIST SP 800-63B, 3.1.1.2). */
const hashOf = (password: string, nonce: Buffer, parameters: Parameters): Promise<Buffer> =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength: HASH_BYTES, ...parameters });

const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** Returns the argon2id hash of a password with its salt, in the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await hashOf(password, salt, DEFAULTS);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${encode(salt)}$${encode(hash)}`;
}

/**
 * True if the password has this hash. Without a hash it takes as long and returns false, so that the
 * time does not reveal which accounts exist.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', hash = ''] = FORMAT.exec(stored ?? '') ?? [];
  if (hash === '') {
    await hashOf(password, randomBytes(SALT_BYTES), DEFAULTS);
    return false;
  }
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const actual = await hashOf(password, Buffer.from(salt, 'base64'), parameters);
  return timingSafeEqual(actual, Buffer.from(hash, 'base64'));
}
