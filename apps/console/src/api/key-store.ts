/** In session storage, which each tab has separately. */
const STORAGE_KEY = 'lectern.key';

type Listener = () => void;

const listeners = new Set<Listener>();
let reason: string | undefined;

const notify = () => {
  for (const listener of listeners) listener();
};

/** Returns the key of the session, if the user is signed in. */
export function currentKey(): string | undefined {
  return sessionStorage.getItem(STORAGE_KEY) ?? undefined;
}

export function signIn(key: string): void {
  reason = undefined;
  sessionStorage.setItem(STORAGE_KEY, key);
  notify();
}

/** Removes the key. The sign-in page shows `message` as the reason. */
export function signOut(message?: string): void {
  reason = message;
  sessionStorage.removeItem(STORAGE_KEY);
  notify();
}

/** Returns why the last session ended. Undefined if the user signed out. */
export function signOutReason(): string | undefined {
  return reason;
}

export function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
