import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const openPaths: ReadonlySet<string> = new Set(['/', '/healthz', '/readyz', '/livez']);

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function givenKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['api-key'];
  if (typeof key === 'string') return key;
  const bearer = headers.authorization;
  return bearer?.startsWith('Bearer ') ? bearer.slice(7) : undefined;
}

/**
 * Creates a check that returns why a request is unauthorized, or undefined. Version and health need
 * no key.
 */
export function createKeyCheck(
  apiKey: string | undefined,
): (path: string, headers: IncomingHttpHeaders) => string | undefined {
  if (!apiKey) return () => undefined;
  const wanted = digest(apiKey);
  return (path, headers) => {
    if (openPaths.has(path)) return undefined;
    const key = givenKey(headers);
    if (key === undefined) return 'Must provide an API key or an Authorization bearer token';
    // Digests have the same length, so the comparison leaks nothing about the key.
    return timingSafeEqual(digest(key), wanted) ? undefined : 'Invalid API key or JWT';
  };
}
