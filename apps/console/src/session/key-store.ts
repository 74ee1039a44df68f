/** Kept for this tab alone, and gone with it. */
const STORAGE_KEY = 'lectern.key';

type Listener = () => void;

const listeners = new Set<Listener>();
let reason: string | undefined;

const tell = () => {
  for (const listener of listeners) listener();
};

/** The key that is signed in with. */
export function currentKey(): string | undefined {
  return sessionStorage.getItem(STORAGE_KEY) ?? undefined;
}

export function signIn(key: string): void {
  reason = undefined;
  sessionStorage.setItem(STORAGE_KEY, key);
  tell();
}

/** Forgets the key. `why` is shown where a person signs in again. */
export function signOut(why?: string): void {
  reason = why;
  sessionStorage.removeItem(STORAGE_KEY);
  tell();
}

/** Why the last session ended, where it was not the person's own wish. */
export function signOutReason(): string | undefined {
  return reason;
}

export function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
