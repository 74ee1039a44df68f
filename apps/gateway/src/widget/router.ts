import { readFileSync } from 'node:fs';
import { WIDGET_SCRIPT_FILE } from '@lectern/widget/script-file';
import { Router } from 'express';
import { readOnlyRoute } from '#http/read-only-route';
import { serveFile } from '#http/serve-file';

/**
 * Long enough for several pages of a visit, short enough that an update reaches all sites within
 * minutes.
 */
const CACHE_CONTROL = 'public, max-age=300';

/**
 * Serves the script of the search widget at `/widget.js` without a key. It contains no data of the
 * installation.
 */
export function widgetRouter(): Router {
  const send = serveFile(readFileSync(WIDGET_SCRIPT_FILE));
  const router = Router({ caseSensitive: true });
  readOnlyRoute(router, '/widget.js', (request, response) => {
    response.setHeader('Cache-Control', CACHE_CONTROL);
    response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
    return send(request, response);
  });
  return router;
}
