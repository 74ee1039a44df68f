/** In session storage, which each tab has separately. */
const STORAGE_KEY = 'lectern.key';

/** How the user is signed in: with a key, or with a session, whose cookie scripts cannot read. */
export type Credential = { readonly kind: 'key'; readonly key: string } | { readonly kind: 'session' };

type Listener = () => void;

const SESSION: Credential = { kind: 'session' };
const listeners = new Set<Listener>();
let reason: string | undefined;
/** Assumed until the server rejects a request. */
let hasSession = true;
let current: Credential | undefined;

/** The tabs of a browser share its session. */
const otherTabs = new BroadcastChannel('lectern.session');
otherTabs.onmessage = () => {
  // What this tab shows belongs to the person who was signed in before.
  if (sessionStorage.getItem(STORAGE_KEY) === null) location.reload();
};

/** Set while this tab signs in with an identity provider, which replaces the session of other tabs. */
const SIGNING_IN = 'lectern.signing-in';
if (sessionStorage.getItem(SIGNING_IN) !== null) {
  sessionStorage.removeItem(SIGNING_IN);
  otherTabs.postMessage('started');
}

/** Makes other tabs reload when this one returns from an identity provider. */
export function announceSignIn(): void {
  sessionStorage.setItem(SIGNING_IN, 'true');
}

const notify = () => {
  for (const listener of listeners) listener();
};

/** Returns the credential in use. Undefined if the user is signed out. */
export function currentCredential(): Credential | undefined {
  const key = sessionStorage.getItem(STORAGE_KEY) ?? undefined;
  if (key === undefined) current = hasSession ? SESSION : undefined;
  else if (current?.kind !== 'key' || current.key !== key) current = { kind: 'key', key };
  return current;
}

export function signInWithKey(key: string): void {
  reason = undefined;
  sessionStorage.setItem(STORAGE_KEY, key);
  notify();
}

/** Uses the session that the server has just started. It replaced that of other tabs, so they reload. */
export function startSession(): void {
  reason = undefined;
  hasSession = true;
  sessionStorage.removeItem(STORAGE_KEY);
  notify();
  otherTabs.postMessage('started');
}

/** Forgets the session that the user has just ended, in other tabs too. */
export function endSession(): void {
  signOut();
  otherTabs.postMessage('ended');
}

/** Forgets the credential. The sign-in page shows `message` as the reason. */
export function signOut(message?: string): void {
  reason = message;
  hasSession = false;
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
