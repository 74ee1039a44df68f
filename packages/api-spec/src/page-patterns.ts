/** The parts of a pattern for a host. */
export interface HostPattern {
  /** True if the pattern matches all subdomains of the name. */
  readonly isWildcard: boolean;
  readonly name: string;
  /** Undefined if any port matches. */
  readonly port: string | undefined;
}

const HOST =
  /^(\*\.)?((?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/;

/** Parses a host pattern in lower case: a name, `*.` before it for all subdomains, and a port. */
export function parseHostPattern(text: string): HostPattern | undefined {
  const [, wildcard, name, port] = HOST.exec(text) ?? [];
  if (name === undefined || (port !== undefined && Number(port) > 65_535)) return undefined;
  return { isWildcard: wildcard !== undefined, name, port };
}

export const isHostPattern = (text: string): boolean => parseHostPattern(text) !== undefined;

/** The parts of a pattern for a URL prefix. */
export interface RefererPattern {
  /** Undefined if both http and https match. */
  readonly protocol: string | undefined;
  /** True if the pattern matches all subdomains of the host. */
  readonly isWildcard: boolean;
  /** With the port, unless it is the default port of the protocol. */
  readonly host: string;
  /** Without a slash at the end. */
  readonly path: string;
}

const REFERER = /^(?:(https?):\/\/)?(\*\.)?((?:\[[\da-f:.]+\]|[^/?#@\s*:[\]]+)(?::\d{1,5})?)(\/[^?#\s]*)?$/i;

/**
 * Parses a URL prefix: `https://example.com/docs`, `*.` before the host for all subdomains.
 */
export function parseRefererPattern(text: string): RefererPattern | undefined {
  const [, scheme, wildcard, host, path = ''] = REFERER.exec(text) ?? [];
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

export const isRefererPattern = (text: string): boolean => parseRefererPattern(text) !== undefined;
