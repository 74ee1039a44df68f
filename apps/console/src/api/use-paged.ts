import type { Page } from '@lectern/sdk';
import { keepPreviousData, type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

type Options<T> = {
  readonly enabled?: boolean;
  /** Milliseconds after which it is read again while this is true of the page that is shown. */
  readonly refresh?: { readonly everyMs: number; readonly while: (items: readonly T[]) => boolean };
};

/** A list that is read page by page. */
export interface Paging<T> {
  readonly list: UseQueryResult<Page<T>>;
  readonly setPage: (page: number) => void;
}

/** Reads a page of a list; the one before stays to be seen until the next is there. */
export function usePaged<T>(
  queryKey: QueryKey,
  read: (page: number, options: { readonly signal: AbortSignal }) => PromiseLike<Page<T>>,
  { enabled = true, refresh }: Options<T> = {},
): Paging<T> {
  const [page, setPage] = useState(1);
  const list = useQuery({
    queryKey: [...queryKey, page],
    queryFn: async ({ signal }) => read(page, { signal }),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: ({ state }) =>
      refresh !== undefined && state.data !== undefined && refresh.while(state.data.items) ? refresh.everyMs : false,
  });
  return { list, setPage };
}
