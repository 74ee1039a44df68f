import { createDocument, OTHERS, operations } from '@lectern/api-spec';
import { Router } from 'express';
import { readOnlyRoute } from '#http/read-only-route';
import { type SendFile, serveFile } from '#http/serve-file';

/** Cached, but revalidated for each use: an upgrade is visible immediately. */
const CACHING = 'public, no-cache';

/** Serves the OpenAPI document at `/openapi.json` without a key. It is created on the first request. */
export function openApiRouter(): Router {
  let send: SendFile | undefined;
  const router = Router({ caseSensitive: true });
  readOnlyRoute(router, '/openapi.json', (request, response) => {
    send ??= serveFile(Buffer.from(JSON.stringify(createDocument(operations, OTHERS))));
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Cache-Control', CACHING);
    return send(request, response);
  });
  return router;
}
