import type { IncomingMessage, RequestOptions } from 'node:http';

// Names of OpenTelemetry's semantic conventions for HTTP.
const FULL = 'url.full';
const PATH = 'url.path';
const QUERY = 'url.query';

/** Attributes of a request that came in, in place of those that hold its query: it may carry a code, a token or a person's words. */
export function incomingWithoutQuery(_request: IncomingMessage): Record<string, string> {
  return { [QUERY]: '' };
}

/** The same for a request of `node:http` to somebody else, without its path too: sources have the names of files there. */
export function outgoingOrigin(options: RequestOptions): Record<string, string> {
  const { protocol = 'http:', hostname, host, port } = options;
  const name = hostname ?? host ?? 'localhost';
  return { [FULL]: `${protocol}//${name}${port ? `:${port}` : ''}`, [PATH]: '', [QUERY]: '' };
}

/** The same for a request of `fetch`. */
export function fetchOrigin({ origin }: { readonly origin: unknown }): Record<string, string> {
  return { [FULL]: String(origin), [PATH]: '', [QUERY]: '' };
}
