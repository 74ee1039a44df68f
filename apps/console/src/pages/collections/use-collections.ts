import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';

/** Enough to choose from in a list; more are found by the pages of the collections. */
const CHOICES = 100;

/** The collections that the key reaches, to choose from. */
export function useCollections() {
  return useQuery({
    queryKey: ['collections', 'choices'],
    queryFn: async ({ signal }) => (await lectern().collections.list({ limit: CHOICES }, { signal })).items,
    staleTime: 15_000,
  });
}
