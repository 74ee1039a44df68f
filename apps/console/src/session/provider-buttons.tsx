import { useQuery } from '@tanstack/react-query';
import { announceSignIn } from '#api/key-store.ts';
import { lecternWith } from '#api/lectern.ts';

/** The current page, to which the browser returns after the sign-in. */
const thisPage = () => `${location.pathname}${location.search}${location.hash}`;

/** A link for each identity provider. It loads another page, so it is not a link of the router. */
export function ProviderButtons() {
  const providers = useQuery({
    queryKey: ['sign-in-providers'],
    queryFn: async ({ signal }) => lecternWith().client.call('listSignInProviders', {}, { signal }),
    staleTime: 60_000,
  });
  if (providers.data === undefined || providers.data.length === 0) return null;
  return (
    <>
      <ul className="plain-list" aria-label="Identity providers">
        {providers.data.map(({ id, name, url }) => (
          <li key={id}>
            <a
              className="button button-primary"
              href={`${url}?${new URLSearchParams({ returnTo: thisPage() })}`}
              onClick={announceSignIn}
            >
              Sign in with {name}
            </a>
          </li>
        ))}
      </ul>
      <p className="muted small">Or with an email address and a password:</p>
    </>
  );
}
