import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import { indexFile, isConsoleBuilt } from '#console/console-files';
import { setPageHeaders } from '#console/page-headers';
import { WAITING_PAGE } from '#console/waiting-page';
import { otherMethod } from '#http/errors';

/** The names of assets are made from their content. */
const FOREVER = 'public, max-age=31536000, immutable';
const NONCE_PLACE = '<meta name="csp-nonce" content="" />';
const RETRY_SECONDS = '2';

/** Any page of the console: they all begin as the same file, and find out by the address which one is meant. */
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
    response.send(page.replace(NONCE_PLACE, `<meta name="csp-nonce" content="${nonce}" />`));
  };
}

/** The console's files at `/console`, to anyone: they hold nothing but the program. What it shows, it asks the API for with a key. */
export function consoleRouter(dir: string): Router {
  const router = Router({ caseSensitive: true });
  const assets = express.static(join(dir, 'assets'), {
    index: false,
    redirect: false,
    fallthrough: true,
    cacheControl: false,
    setHeaders: (response) => {
      response.setHeader('Cache-Control', FOREVER);
      response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    },
  });
  router.use('/console/assets', assets, (_request, _response, next) => next('router'));
  router.get('/console/favicon.svg', (_request, response, next) => {
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.sendFile(join(dir, 'favicon.svg'), { headers: { 'Cache-Control': 'public, max-age=86400' } }, (error) => {
      if (error) next('router');
    });
  });
  router.route(['/console', '/console/*page']).get(sendPage(dir)).all(otherMethod('GET, HEAD'));
  return router;
}
