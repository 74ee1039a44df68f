import { AppError } from '@lectern/service-kit';
import { isToken } from '#keys/format';
import type { StoredKey } from '#keys/key-store';

/** The error for a key that does not exist or no longer works. */
export const invalidKey = (): AppError =>
  new AppError('invalid_key', 'This API key is not valid. Check that it is complete and has not been revoked.');

/** The error for a session that has ended. */
export const sessionEnded = () =>
  new AppError('unauthorized', 'Your session has ended. Sign in again.', { details: { reason: 'session_ended' } });

function expiredMessage(presented: string): string {
  if (isToken('userToken', presented)) return 'This user token has expired. Create a new one.';
  if (isToken('appAccess', presented)) return 'This access token has expired. Renew it with the refresh token.';
  return 'This API key has expired. Create a new pair.';
}

/**
 * Returns the error for a key that does not work now: `invalid_key` if it is unknown, revoked or
 * rotated out, `key_expired`, or `unauthorized` for a session. Returns undefined for a valid key.
 */
export function keyError(presented: string, key: StoredKey | undefined, now = Date.now()): AppError | undefined {
  if (key === undefined || (key.endsAt !== null && key.endsAt.getTime() <= now)) {
    return isToken('session', presented) ? sessionEnded() : invalidKey();
  }
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now) {
    return new AppError('key_expired', expiredMessage(presented));
  }
  return undefined;
}
