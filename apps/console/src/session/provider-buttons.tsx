import type { Data } from '@lectern/sdk';
import { type ReactNode, useEffect, useState } from 'react';
import { announceSignIn } from '#api/key-store.ts';
import { lecternWith } from '#api/lectern.ts';
import { t } from '#texts/texts.ts';

/** The current page, to which the browser returns after the sign-in. */
const thisPage = () => `${location.pathname}${location.search}${location.hash}`;

/** A link for each identity provider, then `children`. It loads another page, so it is not a link of the router. */
export function ProviderButtons({ children }: { readonly children?: ReactNode }) {
  const [providers, setProviders] = useState<Data<'listSignInProviders'>>([]);
  // Not a query: the cache is cleared when this page appears.
  useEffect(() => {
    const aborter = new AbortController();
    const { signal } = aborter;
    // Without the list, people still sign in with a password.
    lecternWith()
      .client.call('listSignInProviders', {}, { signal })
      .then(setProviders, () => undefined);
    return () => aborter.abort();
  }, []);
  if (providers.length === 0) return null;
  return (
    <>
      <ul className="plain-list" aria-label={t('session.providers')}>
        {providers.map(({ id, name, url }) => (
          <li key={id}>
            <a
              className="button button-primary"
              href={`${url}?${new URLSearchParams({ returnTo: thisPage() })}`}
              onClick={announceSignIn}
            >
              {t('session.signInWith', { provider: name })}
            </a>
          </li>
        ))}
      </ul>
      {children}
    </>
  );
}
