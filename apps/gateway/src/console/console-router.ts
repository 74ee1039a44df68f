import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { indexFile, isConsoleBuilt } from '#console/console-files';
import { setPageHeaders } from '#console/page-headers';
import { sendAsset } from '#console/send-asset';
import { WAITING_PAGE } from '#console/waiting-page';
import { readOnlyRoute } from '#http/read-only-route';

const NONCE_PLACEHOLDER = '<meta name="csp-nonce" content="" />';
const RETRY_SECONDS = '2';

/** Serves every page of the console: a single-page application. */
function sendPage(dir: string): RequestHandler {
  return async (_request, response) => {
    const nonce = randomBytes(16).toString('base64');
    setPageHeaders(response, nonce);
    if (!isConsoleBuilt(dir)) {
      response.setHeader('Retry-After', RETRY_SECONDS);
      response.status(503).send(WAITING_PAGE);
      return;
    }
    const page = await readFile(indexFile(dir), 'utf8');
    response.send(page.replace(NONCE_PLACEHOLDER, `<meta name="csp-nonce" content="${nonce}" />`));
  };
}

/**
 * Serves the console at `/console` without a key. The files contain no data; the console calls the
 * API with a key.
 */
export function consoleRouter(dir: string): Router {
  const router = Router({ caseSensitive: true });
  readOnlyRoute(router, '/console/assets/:name', sendAsset(join(dir, 'assets')));
  router.use('/console/assets', (_request, _response, next) => next('router'));
  router.get('/console/favicon.svg', (_request, response, next) => {
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.sendFile(join(dir, 'favicon.svg'), { headers: { 'Cache-Control': 'public, max-age=86400' } }, (error) => {
      if (error) next('router');
    });
  });
  readOnlyRoute(router, ['/console', '/console/*page'], sendPage(dir));
  return router;
}
