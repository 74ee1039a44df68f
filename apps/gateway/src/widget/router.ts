import { readFileSync } from 'node:fs';
import { WIDGET_SCRIPT_FILE } from '@lectern/widget/script-file';
import { Router } from 'express';
import { preflight } from '#http/cors';
import { otherMethod } from '#http/errors';
import { keepFile } from '#http/kept-file';

const METHODS = 'GET, HEAD, OPTIONS';

/** Long enough to spare a visitor's next pages the request, short enough that an update is on all sites within minutes. */
const CACHE_CONTROL = 'public, max-age=300';

/** The search box's script at `/widget.js`, for pages anywhere. It holds nothing of this installation, so it needs no key. */
export function widgetRouter(): Router {
  const send = keepFile(readFileSync(WIDGET_SCRIPT_FILE));
  const router = Router({ caseSensitive: true });
  const route = router.route('/widget.js');
  route.get((request, response) => {
    response.setHeader('Cache-Control', CACHE_CONTROL);
    response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
    return send(request, response);
  });
  route.options(preflight(METHODS)).all(otherMethod(METHODS));
  return router;
}
