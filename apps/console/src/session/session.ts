import { createContext, useContext } from 'react';
import type { OwnKey, Role } from '#api/types.ts';

export const SessionContext = createContext<OwnKey | undefined>(undefined);

/** The key or the person of the session. Only available inside `RequireSignIn`. */
export function useSession(): OwnKey {
  const session = useContext(SessionContext);
  if (session === undefined) throw new TypeError('useSession must be called inside RequireSignIn.');
  return session;
}

/** The rights that the pages of an editor need. */
const EDITOR_RIGHTS: readonly OwnKey['rights'][number][] = ['documents:write', 'connectors', 'agents'];

/** Each role has the rights of the ones before it. */
export const ROLES: readonly Role[] = ['member', 'editor', 'admin', 'owner'];

/** True for a role with at least the rights of another one. */
export const hasRole = (role: Role, least: Role) => ROLES.indexOf(role) >= ROLES.indexOf(least);

/** The role whose pages work with a key. Other pages would show errors. */
function roleOfKey({ allow_all_collections: isFull, rights }: OwnKey): Role {
  if (isFull && rights.includes('keys')) return 'admin';
  const canEdit = EDITOR_RIGHTS.every((right) => rights.includes(right));
  return isFull && canEdit ? 'editor' : 'member';
}

/** True for a person with this role, and for a key with this right and access to all collections. */
export function useAccess(least: Role, right: OwnKey['rights'][number]): boolean {
  const { person, allow_all_collections: isFull, rights } = useSession();
  return person === null ? isFull && rights.includes(right) : hasRole(person.effectiveRole, least);
}

/** True if the user may do what requires this role. */
export function useRole(least: Role): boolean {
  const session = useSession();
  const role = session.person?.effectiveRole ?? roleOfKey(session);
  return hasRole(role, least);
}
