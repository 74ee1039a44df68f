import type { IncomingMessage, RequestOptions } from 'node:http';

// Names of OpenTelemetry's semantic conventions for HTTP.
const FULL = 'url.full';
const QUERY = 'url.query';

/** What stands before the query of an address. */
const beforeQuery = (address: string): string => address.split(/[?#]/, 1)[0] ?? '';

/** Attributes of a request that came in, in place of those that hold its query: it may carry a code, a token or a person's words. */
export function incomingWithoutQuery(_request: IncomingMessage): Record<string, string> {
  return { [QUERY]: '' };
}

/** The same for a request of `node:http`. */
export function outgoingWithoutQuery(options: RequestOptions): Record<string, string> {
  const { protocol = 'http:', hostname, host, port, path } = options;
  const name = hostname ?? host ?? 'localhost';
  const origin = `${protocol}//${name}${port ? `:${port}` : ''}`;
  return { [FULL]: beforeQuery(`${origin}${path ?? '/'}`), [QUERY]: '' };
}

/** The same for a request of `fetch`. */
export function fetchWithoutQuery({
  origin,
  path,
}: {
  readonly origin: string;
  readonly path: string;
}): Record<string, string> {
  return { [FULL]: beforeQuery(`${origin}${path}`), [QUERY]: '' };
}
