import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import { useRole } from '#session/session.ts';

/** Reads the packs that ship with Lectern, if the key can access them. */
export function usePacks() {
  return useQuery({
    queryKey: ['synonym-packs'],
    queryFn: ({ signal }) => lectern().synonyms.listPacks({ signal }),
    enabled: useRole('editor'),
  });
}
