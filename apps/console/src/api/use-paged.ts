import type { Page } from '@lectern/sdk';
import { keepPreviousData, type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

type Options<T> = {
  readonly enabled?: boolean;
  /** Refetches every `everyMs` milliseconds while the condition holds for the current page. */
  readonly refresh?: { readonly everyMs: number; readonly while: (items: readonly T[]) => boolean };
};

/** A paged list. */
export interface Paging<T> {
  readonly list: UseQueryResult<Page<T>>;
  readonly setPage: (page: number) => void;
}

/** Reads one page of a list. The previous page stays visible until the next is loaded. */
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
