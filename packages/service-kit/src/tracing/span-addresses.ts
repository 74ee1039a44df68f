import type { IncomingMessage, RequestOptions } from 'node:http';

// OpenTelemetry's semantic conventions for HTTP.
const FULL = 'url.full';
const PATH = 'url.path';
const QUERY = 'url.query';

/**
 * Removes the query from an incoming request's attributes: it can contain codes, tokens or a user's
 * text.
 */
export function incomingWithoutQuery(_request: IncomingMessage): Record<string, string> {
  return { [QUERY]: '' };
}

/** Removes path and query from a `node:http` request's attributes: paths can contain file names. */
export function outgoingOrigin(options: RequestOptions): Record<string, string> {
  const { protocol = 'http:', hostname, host, port } = options;
  const name = hostname ?? host ?? 'localhost';
  return { [FULL]: `${protocol}//${name}${port ? `:${port}` : ''}`, [PATH]: '', [QUERY]: '' };
}

/** Removes path and query from a `fetch` request's attributes. */
export function fetchOrigin({ origin }: { readonly origin: unknown }): Record<string, string> {
  return { [FULL]: String(origin), [PATH]: '', [QUERY]: '' };
}
