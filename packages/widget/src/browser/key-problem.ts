import type { Mode } from '#browser/settings';

const NAMES: Readonly<Record<Mode, string>> = { search: 'Search', ask: 'Asking' };

/** Returns why a key cannot be used, in words for the visitor. Undefined if it can. */
export function keyProblem(key: string, mode: Mode): string | undefined {
  const start = `${NAMES[mode]} is not configured correctly:`;
  if (key === '') return `${start} the key is missing.`;
  // Every visitor can read the key already. The error makes the site's owner notice.
  if (key.startsWith('lectern_sk_')) return `${start} a secret key must never be used in a web page. Revoke it.`;
  if (mode === 'ask' && key.startsWith('lectern_pk_')) {
    return 'Only signed-in visitors can ask questions here. If you are signed in, ask the owner of this site to set up a user token with the right "chat".';
  }
  return undefined;
}
