import { Lectern, LecternError } from '@lectern/sdk';
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

/** Uploads, and tells how far it is: only the SDK's own way of sending knows, so that here the error is watched in place of the answer. */
export async function uploadFiles(
  ...given: Parameters<Lectern['files']['upload']>
): Promise<Awaited<ReturnType<Lectern['files']['upload']>>> {
  try {
    return await lecternWith(currentKey() ?? '').files.upload(...given);
  } catch (error) {
    if (error instanceof LecternError && error.status === 401) signOut(error.message);
    throw error;
  }
}
