import { createHash } from 'node:crypto';
import { createDocument, OTHER_PATHS, operations } from '@lectern/api-spec';
import { type RequestHandler, Router } from 'express';
import { preflight } from '#http/cors';
import { otherMethod } from '#http/errors';
import { type SendFile, serveFile } from '#http/serve-file';
import { referencePage } from '#reference/page';
import { STYLE } from '#reference/style';

const ALLOWED = 'GET, HEAD, OPTIONS';

/** Cached, but revalidated for each use: an upgrade is visible immediately. */
const CACHING = 'public, no-cache';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hashOf(STYLE)}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves a text that is created on the first request. */
function serveText(mediaType: string, make: () => string, headers: Readonly<Record<string, string>>): RequestHandler {
  let send: SendFile | undefined;
  return (request, response) => {
    send ??= serveFile(Buffer.from(make()));
    response.setHeader('Content-Type', `${mediaType}; charset=utf-8`);
    response.setHeader('Cache-Control', CACHING);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return send(request, response);
  };
}

/**
 * Serves the API reference: `/openapi.json` for programs and `/docs` for people. Neither needs a
 * key.
 */
export function referenceRouter(): Router {
  const document = () => createDocument(operations, OTHER_PATHS);
  const served: readonly (readonly [string, RequestHandler])[] = [
    ['/openapi.json', serveText('application/json', () => JSON.stringify(document()), {})],
    ['/docs', serveText('text/html', () => referencePage(document()), { 'Content-Security-Policy': PAGE_POLICY })],
  ];
  const router = Router({ caseSensitive: true });
  for (const [path, handler] of served) {
    router.route(path).get(handler).options(preflight(ALLOWED)).all(otherMethod(ALLOWED));
  }
  return router;
}
