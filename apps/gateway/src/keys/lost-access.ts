import { hasRole } from '@lectern/api-spec';
import { AppError } from '@lectern/service-kit';
import { keyError } from '#keys/key-error';
import type { StoredKey } from '#keys/key-store';

/** True if a person lost a role, a group or the address, which is a principal too. */
function hasLostRights(before: StoredKey['person'], now: StoredKey['person']): boolean {
  if (before === undefined || now === undefined) return false;
  if (now.email !== before.email) return true;
  return !hasRole(now.role, before.role) || before.groups.some((group) => !now.groups.includes(group));
}

/**
 * True if the whole scope of a key, or the role or the groups of a person, were narrowed since the
 * request started.
 */
function isNarrower({ scope, kind, publishableReads, person }: StoredKey, now: StoredKey): boolean {
  if (hasLostRights(person, now.person)) return true;
  if (kind === 'publishable' && publishableReads === 'all' && now.publishableReads !== 'all') return true;
  return scope.kind === 'all' && now.scope.kind !== 'all';
}

/** The error for a caller who lost access during the request. */
export const narrowed = (): AppError =>
  new AppError('forbidden', 'The access of the caller was narrowed while the request was open. Send it again.');

/**
 * Returns the error for a caller who lost the key, the session, the role, a group or the whole scope
 * since the request was accepted. `key` is the state at that time, `now` the current one.
 */
export function lostAccess(presented: string, key: StoredKey, now: StoredKey | undefined): AppError | undefined {
  const error = keyError(presented, now);
  if (error !== undefined || now === undefined) return error;
  return isNarrower(key, now) ? narrowed() : undefined;
}
