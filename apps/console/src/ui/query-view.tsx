import type { ReactNode } from 'react';
import { ErrorNotice } from '#ui/error-notice.tsx';
import type { ViewedQuery } from '#ui/join-queries.ts';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';

/** The result of a query with its loading and error states. */
export function QueryView<T>({
  query,
  title,
  what,
  children,
}: {
  readonly query: ViewedQuery<T>;
  /** The heading of the page until its record is loaded. */
  readonly title?: string;
  /** What is loading, for the text “Loading …”. */
  readonly what: string;
  readonly children: (data: T) => ReactNode;
}) {
  // Stale data stays visible below an error.
  return (
    <>
      {title !== undefined && query.data === undefined ? <PageHead title={title} /> : null}
      {query.error ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isLoading ? <Loading what={what} /> : null}
      {query.data === undefined ? null : children(query.data)}
    </>
  );
}
