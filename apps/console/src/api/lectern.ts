import { Lectern, LecternError } from '@lectern/sdk';
import { type Credential, currentCredential, signOut } from '#api/key-store.ts';
import { t } from '#texts/texts.ts';

/** Creates a client for this server with the given key, or with the session. */
export function lecternWith(key?: string): Lectern {
  return new Lectern({ baseUrl: location.origin, ...(key === undefined ? {} : { key }) });
}

/** The first visit without a session needs no explanation. */
const reasonOf = (error: { readonly message?: string; readonly details?: { readonly reason?: string } } | undefined) =>
  currentCredential()?.kind === 'key' || error?.details?.reason === 'session_ended'
    ? (error?.message ?? t('session.keyInvalid'))
    : undefined;

/** Signs out when the server rejects the key or the session. */
const watchedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 401) {
    const body = await response
      .clone()
      .json()
      .catch(() => undefined);
    signOut(reasonOf(body?.error));
  }
  return response;
};

let current: { readonly credential: Credential | undefined; readonly lectern: Lectern } | undefined;

/** Returns the client with the credential in use. */
export function lectern(): Lectern {
  const credential = currentCredential();
  if (current === undefined || current.credential !== credential) {
    const key = credential?.kind === 'key' ? { key: credential.key } : {};
    current = { credential, lectern: new Lectern({ baseUrl: location.origin, ...key, fetch: watchedFetch }) };
  }
  return current.lectern;
}

/** Uploads files. Does not use `watchedFetch`, because the SDK reports upload progress only without a custom fetch. */
export async function uploadFiles(
  ...args: Parameters<Lectern['files']['upload']>
): Promise<Awaited<ReturnType<Lectern['files']['upload']>>> {
  const credential = currentCredential();
  try {
    return await lecternWith(credential?.kind === 'key' ? credential.key : undefined).files.upload(...args);
  } catch (error) {
    if (error instanceof LecternError && error.status === 401) signOut(error.message);
    throw error;
  }
}
