import { parseRefererPattern, type RefererPattern } from '@lectern/api-spec';

function matches({ protocol, isWildcard, host, path }: RefererPattern, referer: URL): boolean {
  if (protocol !== undefined && protocol !== referer.protocol) return false;
  const isHost = isWildcard ? referer.host.endsWith(`.${host}`) : referer.host === host;
  // At a path boundary: /docs does not match /docs-internal.
  return isHost && `${referer.pathname}/`.startsWith(`${path}/`);
}

/** True if the Referer begins with an allowed prefix, at a path boundary. False without a Referer. */
export function isRefererAllowed(entries: readonly string[], referer: string | undefined): boolean {
  if (referer === undefined || !URL.canParse(referer)) return false;
  const url = new URL(referer);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  return entries.some((text) => {
    const entry = parseRefererPattern(text);
    return entry !== undefined && matches(entry, url);
  });
}
