import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';

/** The API's maximum page size. */
const CHOICES = 100;

/** The collections that can be selected. */
export function useCollections() {
  return useQuery({
    queryKey: ['collections', 'choices'],
    queryFn: async ({ signal }) => (await lectern().collections.list({ limit: CHOICES }, { signal })).items,
    staleTime: 15_000,
  });
}
