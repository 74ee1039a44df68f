/** What `QueryView` needs of a query. */
export interface ViewedQuery<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly isLoading: boolean;
  refetch(): unknown;
}

/** Returns several queries as one. It has data when each of them has. */
export function joinQueries<T extends object>(
  queries: {
    readonly [Name in keyof T]: ViewedQuery<T[Name]>;
  },
): ViewedQuery<T> {
  const all = Object.entries<ViewedQuery<unknown>>(queries);
  return {
    data: all.every(([, { data }]) => data !== undefined)
      ? (Object.fromEntries(all.map(([name, { data }]) => [name, data])) as T)
      : undefined,
    error: all.find(([, { error }]) => error !== null)?.[1].error ?? null,
    isLoading: all.some(([, { isLoading }]) => isLoading),
    refetch: () => Promise.all(all.map(([, query]) => query.refetch())),
  };
}
