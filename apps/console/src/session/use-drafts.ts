import { useMemo } from 'react';
import { type Drafts, draftsOf } from '#session/drafts.ts';
import { useSession } from '#session/session.ts';

/** The drafts of the person who is signed in. */
export function useDrafts(): Drafts {
  const { id, person } = useSession();
  return useMemo(() => draftsOf(person?.id ?? id), [person, id]);
}
