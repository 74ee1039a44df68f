import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { findAppToken } from '#identity/app-grant-store';
import { lockPeople } from '#identity/person-store';
import { findSession, type SessionTimes } from '#identity/session-store';
import { hashKey, isToken } from '#keys/format';
import type { FindCredential } from '#keys/key-cache';
import { findKey } from '#keys/key-store';
import { lostAccess, narrowed } from '#keys/lost-access';
import { isWithinAddresses } from '#keys/rights';
import { findUserToken } from '#keys/user-token-store';
import type { KeyedCall } from '#pipeline/operation';

/** Creates the query for a stored key, a user token, the token of an app or a session. */
export const findCredential =
  (db: Prisma.TransactionClient, times: SessionTimes): FindCredential =>
  (hash, presented) => {
    if (isToken('session', presented)) return findSession(db, hash, times);
    if (isToken('appAccess', presented)) return findAppToken(db, hash);
    return isToken('userToken', presented) ? findUserToken(db, hash) : findKey(db, hash);
  };

/**
 * Starts a transaction that changes accounts or keys: locks those of the caller's team until it ends,
 * and checks that the caller has not lost the key, the session or the role since the request was
 * accepted. Without it, somebody whose rights end could restore them with a request that is already
 * open. Throws `invalid_key`, `unauthorized` and `forbidden`.
 */
export async function lockRights(
  { sessionTimes }: Pick<Context, 'sessionTimes'>,
  tx: Prisma.TransactionClient,
  call: KeyedCall,
): Promise<void> {
  const { presentedKey, key } = call;
  await lockPeople(tx, key.teamId);
  const now = await findCredential(tx, sessionTimes)(hashKey(presentedKey), presentedKey);
  const error = lostAccess(call, now);
  if (error !== undefined) throw error;
  // An open stream may continue while its client's address is allowed, but not give others more.
  if (now !== undefined && !isWithinAddresses(now.allowedIps, key.allowedIps)) throw narrowed();
}
