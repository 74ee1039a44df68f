import { createContext, useContext } from 'react';
import type { OwnKey } from '#api/types.ts';

export const SessionContext = createContext<OwnKey | undefined>(undefined);

/** The key of the session. Only available inside `RequireKey`. */
export function useSession(): OwnKey {
  const session = useContext(SessionContext);
  if (session === undefined) throw new TypeError('useSession must be called inside RequireKey.');
  return session;
}
