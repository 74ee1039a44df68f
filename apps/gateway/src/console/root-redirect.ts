import type { RequestHandler } from 'express';

const READS = ['GET', 'HEAD'];

/** Sends browsers from the root to the console. Whoever takes anything is a program, which the API answers: browsers name HTML first. */
export const rootRedirect: RequestHandler = (request, response, next) => {
  if (request.path !== '/' || !READS.includes(request.method)) return next();
  response.setHeader('Vary', 'Accept');
  if (request.accepts(['application/json', 'text/html']) !== 'text/html') return next();
  response.statusCode = 302;
  response.setHeader('Location', '/console');
  response.end();
};
