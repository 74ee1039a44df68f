import type { ReactNode } from 'react';
import type { Paging } from '#api/use-paged.ts';
import { Loading } from '#ui/loading.tsx';
import { Pager } from '#ui/pager.tsx';
import { QueryView } from '#ui/query-view.tsx';

/** A paged list with its loading, error and empty states. */
export function Listing<T>({
  paging: { list, setPage },
  what,
  empty,
  children,
}: {
  readonly paging: Paging<T>;
  readonly what: string;
  readonly empty: ReactNode;
  readonly children: (items: readonly T[]) => ReactNode;
}) {
  return (
    <QueryView query={list} what={what}>
      {(page) => (
        <>
          {page.items.length > 0 || page.page > 1 ? (
            children(page.items)
          ) : list.isPlaceholderData ? (
            // The earlier query had no items.
            <Loading what={what} />
          ) : (
            empty
          )}
          <Pager page={page} onPage={setPage} />
        </>
      )}
    </QueryView>
  );
}
