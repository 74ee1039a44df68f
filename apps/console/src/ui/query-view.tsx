import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';

/** The result of a query with its loading and error states. */
export function QueryView<T>({
  query,
  what,
  children,
}: {
  readonly query: UseQueryResult<T>;
  /** What is loading, for the text “Loading …”. */
  readonly what: string;
  readonly children: (data: T) => ReactNode;
}) {
  // Stale data stays visible below an error.
  return (
    <>
      {query.error ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isLoading ? <Loading what={what} /> : null}
      {query.data === undefined ? null : children(query.data)}
    </>
  );
}
