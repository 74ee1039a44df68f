import { Lectern, LecternError } from '@lectern/sdk';
import { currentKey, signOut } from '#api/key-store.ts';

/** Creates a client for this server with the given key. */
export function lecternWith(key: string): Lectern {
  return new Lectern({ baseUrl: location.origin, key });
}

/** Signs out when the server rejects the key. */
const watchedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 401) {
    const body = await response
      .clone()
      .json()
      .catch(() => undefined);
    signOut(body?.error?.message ?? 'The key is no longer valid.');
  }
  return response;
};

let current: { readonly key: string; readonly lectern: Lectern } | undefined;

/** Returns the client with the key of the session. */
export function lectern(): Lectern {
  const key = currentKey() ?? '';
  if (current?.key !== key)
    current = { key, lectern: new Lectern({ baseUrl: location.origin, key, fetch: watchedFetch }) };
  return current.lectern;
}

/** Uploads files. Does not use `watchedFetch`, because the SDK reports upload progress only without a custom fetch. */
export async function uploadFiles(
  ...args: Parameters<Lectern['files']['upload']>
): Promise<Awaited<ReturnType<Lectern['files']['upload']>>> {
  try {
    return await lecternWith(currentKey() ?? '').files.upload(...args);
  } catch (error) {
    if (error instanceof LecternError && error.status === 401) signOut(error.message);
    throw error;
  }
}
