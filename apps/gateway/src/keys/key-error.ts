import { AppError } from '@lectern/service-kit';
import type { StoredKey } from '#keys/key-store';

/** The error for a key that does not exist or no longer works. */
export const invalidKey = (): AppError =>
  new AppError('invalid_key', 'This API key is not valid. Check that it is complete and has not been revoked.');

/**
 * Returns the error for a key that does not work now: `invalid_key` if it is unknown, revoked or
 * rotated out, or `key_expired`. Returns undefined for a valid key.
 */
export function keyError(key: StoredKey | undefined, now = Date.now()): AppError | undefined {
  if (key === undefined || (key.endsAt !== null && key.endsAt.getTime() <= now)) return invalidKey();
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now) {
    return new AppError('key_expired', 'This API key has expired. Create a new pair.');
  }
  return undefined;
}
