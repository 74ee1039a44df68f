import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { currentCredential, subscribe } from '#api/key-store.ts';
import { lectern } from '#api/lectern.ts';
import { loadBranding, useBranding } from '#branding/branding.ts';
import { SessionContext } from '#session/session.ts';
import { SignInPage } from '#session/sign-in-page.tsx';
import { preferredLanguage, saveLanguage } from '#texts/language.ts';
import { language, t } from '#texts/texts.ts';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { clearToasts } from '#ui/toasts.tsx';

/** Renders its children after sign-in, otherwise the sign-in page. The URL stays, so links survive it. */
export function RequireSignIn({ children }: { readonly children: ReactNode }) {
  const credential = useSyncExternalStore(subscribe, currentCredential);
  const queryClient = useQueryClient();
  const branding = useBranding();
  const own = useQuery({
    queryKey: ['own-key', credential?.kind === 'key' ? credential.key.slice(-4) : credential?.kind],
    queryFn: ({ signal }) => lectern().keys.own({ signal }),
    enabled: credential !== undefined,
    staleTime: 60_000,
  });
  useEffect(() => {
    void loadBranding(credential !== undefined);
  }, [credential]);
  useEffect(() => {
    if (!own.data?.person) return;
    saveLanguage(own.data.language);
    // The texts are chosen when the page starts.
    if (preferredLanguage() !== language()) location.reload();
  }, [own.data]);
  useEffect(() => {
    // The next user must not see cached data of this one.
    if (credential !== undefined) return;
    queryClient.clear();
    clearToasts();
  }, [credential, queryClient]);

  if (credential === undefined) return <SignInPage />;
  if (own.data !== undefined && branding !== undefined)
    return <SessionContext value={own.data}>{children}</SessionContext>;
  return (
    <main className="centered">
      {own.error ? (
        <ErrorNotice error={own.error} onRetry={() => own.refetch()} />
      ) : (
        <Loading what={t('ui.what.account')} />
      )}
    </main>
  );
}
