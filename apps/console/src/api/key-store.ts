/** Session storage belongs to one tab. */
const STORAGE_KEY = 'lectern.key';

type Listener = () => void;

const listeners = new Set<Listener>();
let reason: string | undefined;

const notify = () => {
  for (const listener of listeners) listener();
};

/** The key of the session. */
export function currentKey(): string | undefined {
  return sessionStorage.getItem(STORAGE_KEY) ?? undefined;
}

export function signIn(key: string): void {
  reason = undefined;
  sessionStorage.setItem(STORAGE_KEY, key);
  notify();
}

/** Removes the key. The sign-in page shows the reason. */
export function signOut(message?: string): void {
  reason = message;
  sessionStorage.removeItem(STORAGE_KEY);
  notify();
}

/** Why the last session ended, unless the user signed out. */
export function signOutReason(): string | undefined {
  return reason;
}

export function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
