import { hasRole } from '@lectern/api-spec';
import { AppError } from '@lectern/service-kit';
import { isAddressAllowed } from '#keys/allowed-address';
import { keyError } from '#keys/key-error';
import type { StoredKey } from '#keys/key-store';

/** True if a person lost a group or the address, which is a principal too. */
function hasLostPrincipals(before: Principals | undefined, now: Principals | undefined): boolean {
  if (before === undefined || now === undefined) return false;
  return now.email !== before.email || before.groups.some((group) => !now.groups.includes(group));
}

type Principals = Pick<NonNullable<StoredKey['person']>, 'email' | 'groups'>;

/** True if a person lost a role. */
const hasLostRole = (before: StoredKey['person'], now: StoredKey['person']): boolean =>
  before !== undefined && now !== undefined && !hasRole(now.role, before.role);

/** True if a person lost a role, a group or the address. */
export const hasLostRights = (before: StoredKey['person'], now: StoredKey['person']): boolean =>
  hasLostRole(before, now) || hasLostPrincipals(before, now);

/** The key or the session of a request, as it was when the request was accepted. */
export interface Credential {
  /** The key itself. */
  readonly presentedKey: string;
  readonly key: StoredKey;
  readonly client: { readonly address: string };
}

/** True if the whole scope, the rights or the addresses of a key, or the role or groups of a person, were narrowed. */
function isNarrower({ key, client }: Credential, now: StoredKey): boolean {
  const { scope, kind, publishableReads, person, app, rights } = key;
  if (kind === 'secret' || key.token !== undefined) {
    if (rights.some((right) => !now.rights.includes(right))) return true;
  }
  if (!isAddressAllowed(now.allowedIps, client.address)) return true;
  if (hasLostRole(person, now.person)) return true;
  if (hasLostPrincipals(person ?? app, now.person ?? now.app)) return true;
  if (kind === 'publishable' && publishableReads === 'all' && now.publishableReads !== 'all') return true;
  return scope.kind === 'all' && now.scope.kind !== 'all';
}

/** The error for a caller who lost access during the request. */
export const narrowed = (): AppError =>
  new AppError('forbidden', 'The access of the caller was narrowed while the request was open. Send it again.');

/**
 * Returns the error for a caller who lost the key, the session, the role, a group, a right or the whole scope
 * since the request was accepted. `now` is the current state.
 */
export function lostAccess(credential: Credential, now: StoredKey | undefined): AppError | undefined {
  const error = keyError(credential.presentedKey, now);
  if (error !== undefined || now === undefined) return error;
  return isNarrower(credential, now) ? narrowed() : undefined;
}
