import { AppError } from '@lectern/service-kit';
import type { StoredKey } from '#keys/key-store';

export const invalidKey = (): AppError =>
  new AppError('invalid_key', 'This API key is not valid. Check that it is complete and has not been revoked.');

/**
 * Returns why a key is rejected now: unknown, revoked or rotated out (`invalid_key`), or
 * `key_expired`. Undefined for a valid key.
 */
export function refusalOf(key: StoredKey | undefined, now = Date.now()): AppError | undefined {
  if (key === undefined || (key.endsAt !== null && key.endsAt.getTime() <= now)) return invalidKey();
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now) {
    return new AppError('key_expired', 'This API key has expired. Create a new pair.');
  }
  return undefined;
}
