import type { IncomingHttpHeaders } from 'node:http';
import { QdrantError } from '../errors.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** The host of a `Host` header or an address, in lower case and without the port. */
function hostnameOf(authority: string): string {
  return authority.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

/** True for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  const hostname = hostnameOf(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);
  return LOOPBACK.test(hostname);
}

/**
 * A check of requests against what pages in a browser on this machine could send: with a name that leads here for them alone (DNS rebinding), or without being
 * allowed to read the answer (cross-site request forgery). `anyHost` takes every `Host`: for a server that others reach, which demands a key.
 *
 * @throws QdrantError 403 for a foreign host or page, 415 for a body that is not declared as JSON
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
      throw new QdrantError(403, 'Forbidden: pages of other origins may not send requests to this server.');
    if (hasBody(headers) && !JSON_TYPE.test(headers['content-type'] ?? ''))
      throw new QdrantError(415, 'Content type error: send the body with `content-type: application/json`.');
  };
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}
