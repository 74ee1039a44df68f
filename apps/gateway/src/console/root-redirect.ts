import type { RequestHandler } from 'express';

const READS = ['GET', 'HEAD'];

/**
 * Redirects browsers from the root to the console. Browsers prefer HTML. A client that accepts
 * anything is a program and gets the response of the API.
 */
export const rootRedirect: RequestHandler = (request, response, next) => {
  if (request.path !== '/' || !READS.includes(request.method)) return next();
  response.setHeader('Vary', 'Accept');
  if (request.accepts(['application/json', 'text/html']) !== 'text/html') return next();
  response.statusCode = 302;
  response.setHeader('Location', '/console');
  response.end();
};
