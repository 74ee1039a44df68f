import type { IncomingHttpHeaders } from 'node:http';
import { QdrantError } from '../errors.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** Returns the host of a `Host` header or an address, in lower case and without the port. */
function hostnameOf(authority: string): string {
  return authority.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

/** Returns whether only this machine can connect to an address. */
export function isLoopback(host: string): boolean {
  const hostname = hostnameOf(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);
  return LOOPBACK.test(hostname);
}

/**
 * Creates a check against requests from web pages on this machine: requests under a name that
 * resolves here (DNS rebinding), and requests from other origins (cross-site request forgery).
 * `anyHost` accepts every `Host`, for a server with a key that other machines can connect to.
 *
 * @throws QdrantError 403 for an unknown host or another origin, 415 for a body that is not
 * declared as JSON
 */
export function createBrowserGuard(allowedHosts: readonly string[], anyHost: boolean) {
  const known = new Set(allowedHosts.map(hostnameOf));
  return (headers: IncomingHttpHeaders): void => {
    const { host = '', origin } = headers;
    const hostname = hostnameOf(host);
    if (!anyHost && !LOOPBACK.test(hostname) && !known.has(hostname))
      throw new QdrantError(
        403,
        `Forbidden: the Host header names \`${host.slice(0, 100)}\`, which is not this server. Use localhost, or allow the name with --allowed-hosts.`,
      );
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
      throw new QdrantError(403, 'Forbidden: pages of other origins cannot send requests to this server.');
    if (hasBody(headers) && !JSON_TYPE.test(headers['content-type'] ?? ''))
      throw new QdrantError(415, 'Content type error: send the body with `content-type: application/json`.');
  };
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}
