import { createContext, useContext } from 'react';
import type { OwnKey } from '#api/types.ts';

export const SessionContext = createContext<OwnKey | undefined>(undefined);

/** The key that is signed in with. Only below `RequireKey`. */
export function useSession(): OwnKey {
  const session = useContext(SessionContext);
  if (session === undefined) throw new TypeError('There is no session outside RequireKey.');
  return session;
}
