import { invalidRequest } from '@lectern/service-kit';
import type { PublicUrl } from '#http/public-url';

const invalidRedirect = (message: string) => invalidRequest([{ path: 'redirectUri', message }]);

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw invalidRedirect('must be an http or https URL');
  if (url.username !== '' || url.password !== '') throw invalidRedirect('must not contain a user or password');
  if (url.hash !== '') throw invalidRedirect('must not contain a fragment');
  return url;
}

/** An entry that ends in `/` covers everything below it, any other entry only itself. */
function covers(entry: URL, url: URL): boolean {
  if (entry.origin !== url.origin) return false;
  return entry.pathname.endsWith('/') ? url.pathname.startsWith(entry.pathname) : url.pathname === entry.pathname;
}

/**
 * Checks the URL to redirect a user to. Throws `invalid_request` if it is neither on this
 * installation nor on the allowlist: an open redirect would help phishing.
 */
export function checkRedirect(text: string, allowlist: readonly string[], installation: PublicUrl): string {
  const url = parse(text);
  const entries = [...allowlist, ...(installation.isTrusted ? [`${installation.url}/`] : [])].map(
    (entry) => new URL(entry),
  );
  if (entries.some((entry) => covers(entry, url))) return url.toString();
  throw invalidRedirect('is not allowed on this installation; ask the operator to add it to OAUTH_REDIRECT_ALLOWLIST');
}
