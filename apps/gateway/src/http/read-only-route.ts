import type { Request, RequestHandler, Router } from 'express';
import { preflight } from '#http/cors';
import { otherMethod } from '#http/errors';

const METHODS = 'GET, HEAD, OPTIONS';

/** Adds a route for GET and HEAD, with its preflight and 405 for other methods. */
export function readOnlyRoute<P extends Request['params']>(
  router: Router,
  path: string | string[],
  handler: RequestHandler<P>,
): void {
  router.route(path).get<P>(handler).options(preflight(METHODS)).all(otherMethod(METHODS));
}
