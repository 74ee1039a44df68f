import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { currentKey, subscribe } from '#api/key-store.ts';
import { lectern } from '#api/lectern.ts';
import { SessionContext } from '#session/session.ts';
import { SignInPage } from '#session/sign-in-page.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';

/** Renders its children after sign-in, otherwise the sign-in page. */
export function RequireKey({ children }: { readonly children: ReactNode }) {
  const key = useSyncExternalStore(subscribe, currentKey);
  const queryClient = useQueryClient();
  const own = useQuery({
    queryKey: ['own-key', key?.slice(-4)],
    queryFn: ({ signal }) => lectern().keys.own({ signal }),
    enabled: key !== undefined,
    staleTime: 60_000,
  });
  useEffect(() => {
    // The next user must not see cached data of this one.
    if (key === undefined) queryClient.clear();
  }, [key, queryClient]);

  if (key === undefined) return <SignInPage />;
  if (own.data !== undefined) return <SessionContext value={own.data}>{children}</SessionContext>;
  return (
    <main className="centered">
      {own.error ? <ErrorNotice error={own.error} onRetry={() => own.refetch()} /> : <Loading what="your key" />}
    </main>
  );
}
