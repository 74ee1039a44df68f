import { Router } from 'express';
import { preflight } from '#http/cors';
import { sendData } from '#http/envelope';
import { otherMethod } from '#http/errors';

const METHODS = 'GET, HEAD, OPTIONS';

/** Where everything is, for programs that begin at the root. */
const INDEX = { name: 'Lectern', api: '/api/v1', openapi: '/openapi.json', docs: '/docs', console: '/console' };

/** The root, without a key: sends browsers on to the console, and tells programs where the API is. */
export function rootRouter(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const route = router.route('/');
  route.get((request, response) => {
    response.setHeader('Vary', 'Accept');
    // Whoever takes anything is a program: browsers name HTML first.
    if (request.accepts(['application/json', 'text/html']) === 'text/html') {
      response.statusCode = 302;
      response.setHeader('Location', '/console');
      response.end();
    } else sendData(response, 200, INDEX);
  });
  route.options(preflight(METHODS)).all(otherMethod(METHODS));
  return router;
}
