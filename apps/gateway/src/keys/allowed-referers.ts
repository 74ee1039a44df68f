const ENTRY = /^(?:(https?):\/\/)?(\*\.)?((?:\[[\da-f:.]+\]|[^/?#@\s*:[\]]+)(?::\d{1,5})?)(\/[^?#\s]*)?$/i;

interface Entry {
  /** Undefined where either will do. */
  readonly protocol: string | undefined;
  /** True where the entry means all hosts below its own. */
  readonly isWildcard: boolean;
  /** With the port, unless it is the protocol's own. */
  readonly host: string;
  /** Without a slash at its end. */
  readonly path: string;
}

function parseEntry(text: string): Entry | undefined {
  const [, scheme, wildcard, host, path = ''] = ENTRY.exec(text) ?? [];
  if (host === undefined) return undefined;
  const address = `${scheme ?? 'https'}://${host}${path.replace(/\/\*?$/, '')}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return {
    protocol: scheme === undefined ? undefined : url.protocol,
    isWildcard: wildcard !== undefined,
    host: url.host,
    path: url.pathname.replace(/\/$/, ''),
  };
}

/** True for an address prefix: `https://example.com/docs`, with `*.` before the host for all below it. */
export function isRefererEntry(text: string): boolean {
  return parseEntry(text) !== undefined;
}

function matches({ protocol, isWildcard, host, path }: Entry, referer: URL): boolean {
  if (protocol !== undefined && protocol !== referer.protocol) return false;
  const isHost = isWildcard ? referer.host.endsWith(`.${host}`) : referer.host === host;
  // At a path boundary: /docs is no prefix of /docs-internal.
  return isHost && `${referer.pathname}/`.startsWith(`${path}/`);
}

/** True where the Referer begins with an allowed prefix, at a path boundary. A request without one is refused. */
export function isRefererAllowed(entries: readonly string[], referer: string | undefined): boolean {
  if (referer === undefined || !URL.canParse(referer)) return false;
  const url = new URL(referer);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  return entries.some((text) => {
    const entry = parseEntry(text);
    return entry !== undefined && matches(entry, url);
  });
}
