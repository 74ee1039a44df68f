import type { Request, RequestHandler } from 'express';

const READS = ['GET', 'HEAD'];

/** Short addresses of pages, which people pass on in links. */
const ASK = /^\/ask(\/[\w-]{1,64})?$/;

/** Returns the page of the console that an address leads to. */
function targetOf({ path, originalUrl }: Request): string | undefined {
  if (path === '/') return '/console';
  if (!ASK.test(path)) return undefined;
  const query = originalUrl.indexOf('?');
  return `/console${path}${query < 0 ? '' : originalUrl.slice(query)}`;
}

/**
 * Redirects browsers from the root and from `/ask` to the console. Browsers prefer HTML. A client that
 * accepts anything is a program and gets the response of the API.
 */
export const rootRedirect: RequestHandler = (request, response, next) => {
  const target = targetOf(request);
  if (target === undefined || !READS.includes(request.method)) return next();
  response.setHeader('Vary', 'Accept');
  if (request.accepts(['application/json', 'text/html']) !== 'text/html') return next();
  response.statusCode = 302;
  response.setHeader('Location', target);
  response.end();
};
