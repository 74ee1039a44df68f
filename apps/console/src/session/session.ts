import { createContext, useContext } from 'react';
import type { OwnKey, Role } from '#api/types.ts';

export const SessionContext = createContext<OwnKey | undefined>(undefined);

/** The key or the person of the session. Only available inside `RequireSignIn`. */
export function useSession(): OwnKey {
  const session = useContext(SessionContext);
  if (session === undefined) throw new TypeError('useSession must be called inside RequireSignIn.');
  return session;
}

/** Each role has the rights of the ones before it. */
export const ROLES: readonly Role[] = ['member', 'editor', 'admin', 'owner'];

/**
 * True if the user may do what requires this role. A key that can access all collections has the rights
 * of an admin.
 */
export function useRole(least: Role): boolean {
  const { person, allow_all_collections: isFull } = useSession();
  const role = person?.effectiveRole ?? (isFull ? 'admin' : 'member');
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
