import { Lectern } from '@lectern/sdk';
import { currentKey, signOut } from '#session/key-store.ts';

/** The API at the page's own address, with a key that need not be the one signed in with. */
export function lecternWith(key: string): Lectern {
  return new Lectern({ baseUrl: location.origin, key });
}

/** Ends the session as soon as its key is refused. */
const watchedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 401) {
    const answer = await response
      .clone()
      .json()
      .catch(() => undefined);
    signOut(answer?.error?.message ?? 'The key is not valid any more.');
  }
  return response;
};

let current: { readonly key: string; readonly lectern: Lectern } | undefined;

/** The API with the key that is signed in with. */
export function lectern(): Lectern {
  const key = currentKey() ?? '';
  if (current?.key !== key)
    current = { key, lectern: new Lectern({ baseUrl: location.origin, key, fetch: watchedFetch }) };
  return current.lectern;
}
