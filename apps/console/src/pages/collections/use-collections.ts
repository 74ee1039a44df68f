import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';

/** The API's maximum page size. */
const MAX_COLLECTIONS = 100;

/** Reads the collections for a select field. */
export function useCollections() {
  return useQuery({
    queryKey: ['collections', 'choices'],
    queryFn: async ({ signal }) => (await lectern().collections.list({ limit: MAX_COLLECTIONS }, { signal })).items,
    staleTime: 15_000,
  });
}
