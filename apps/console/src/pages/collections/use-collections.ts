import { useQuery } from '@tanstack/react-query';
import { callPage } from '#api/request.ts';
import type { Collection } from '#api/types.ts';

/** Enough to choose from in a list; more are found by the pages of the collections. */
const CHOICES = 100;

/** The collections that the key reaches, to choose from. */
export function useCollections() {
  return useQuery({
    queryKey: ['collections', 'choices'],
    queryFn: async ({ signal }) =>
      (await callPage<readonly Collection[]>('GET', '/api/v1/collections', { query: { limit: CHOICES }, signal }))
        .items,
    staleTime: 15_000,
  });
}
