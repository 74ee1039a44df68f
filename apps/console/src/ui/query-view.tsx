import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';

/** What was asked for, once it is there; until then that it is awaited, or what went wrong and a way to try again. */
export function QueryView<T>({
  query,
  what,
  children,
}: {
  readonly query: UseQueryResult<T>;
  /** “Loading …” */
  readonly what: string;
  readonly children: (data: T) => ReactNode;
}) {
  // What was there before an error is old, and shown below it all the same.
  return (
    <>
      {query.error ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isLoading ? <Loading what={what} /> : null}
      {query.data === undefined ? null : children(query.data)}
    </>
  );
}
