import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { builtFile, type ConsoleFile } from '#console/console-files';
import { setPageHeaders } from '#console/page-headers';
import { sendAsset } from '#console/send-asset';
import { WAITING_PAGE } from '#console/waiting-page';
import { readOnlyRoute } from '#http/read-only-route';

const NONCE_PLACEHOLDER = '<meta name="csp-nonce" content="" />';
const RETRY_SECONDS = '2';

/** Serves an HTML file of the console. `stylesOf` returns the sources of styles that its policy allows. */
function sendPage(dir: string, file: ConsoleFile, stylesOf: (nonce: string) => string): RequestHandler {
  return async (_request, response) => {
    const nonce = randomBytes(16).toString('base64');
    setPageHeaders(response, stylesOf(nonce));
    const path = builtFile(dir, file);
    if (path === undefined) {
      response.setHeader('Retry-After', RETRY_SECONDS);
      response.status(503).send(WAITING_PAGE);
      return;
    }
    const page = await readFile(path, 'utf8');
    response.send(page.replace(NONCE_PLACEHOLDER, `<meta name="csp-nonce" content="${nonce}" />`));
  };
}

/**
 * Serves the console at `/console` and the API reference at `/docs` without a key. The files contain no
 * data; both call the API with a key or a session.
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
  // A single-page application.
  readOnlyRoute(
    router,
    ['/console', '/console/*page'],
    sendPage(dir, 'index.html', (nonce) => `'nonce-${nonce}'`),
  );
  // The library of the reference inserts styles without a nonce. The page shows no data of others.
  readOnlyRoute(
    router,
    '/docs',
    sendPage(dir, 'reference.html', () => "'unsafe-inline'"),
  );
  return router;
}
