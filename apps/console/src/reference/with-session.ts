const CSRF_HEADER = 'X-Lectern-CSRF';
const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Sends a request of the API reference. A request to this installation uses the session of the person unless
 * it has a key, as the console does. Other origins get neither cookies nor the header.
 */
export function withSession(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const isOwn = new URL(request.url, location.href).origin === location.origin;
  if (isOwn && !READS.includes(request.method)) request.headers.set(CSRF_HEADER, '1');
  return fetch(request);
}
