import { readFileSync } from 'node:fs';
import { WIDGET_ASK_FILE, WIDGET_SCRIPT_FILE } from '@lectern/widget/script-file';
import { Router } from 'express';
import { readOnlyRoute } from '#http/read-only-route';
import { serveFile } from '#http/serve-file';

/**
 * Long enough for several pages of a visit, short enough that an update reaches all sites within
 * minutes.
 */
const CACHE_CONTROL = 'public, max-age=300';

/**
 * Serves the script of the widget at `/widget.js`, and the part that it loads for questions, without a
 * key. They contain no data of the installation.
 */
export function widgetRouter(): Router {
  const router = Router({ caseSensitive: true });
  for (const [path, file] of [
    ['/widget.js', WIDGET_SCRIPT_FILE],
    ['/widget-ask.js', WIDGET_ASK_FILE],
  ] as const) {
    const send = serveFile(readFileSync(file));
    readOnlyRoute(router, path, (request, response) => {
      response.setHeader('Cache-Control', CACHE_CONTROL);
      response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
      return send(request, response);
    });
  }
  return router;
}
