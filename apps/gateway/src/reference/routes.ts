import { createHash } from 'node:crypto';
import { createDocument, OTHERS, operations } from '@lectern/api-spec';
import { type RequestHandler, Router } from 'express';
import { readOnlyRoute } from '#http/read-only-route';
import { type SendFile, serveFile } from '#http/serve-file';
import { referencePage } from '#reference/page';
import { STYLE } from '#reference/style';

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
function serveText(mediaType: string, create: () => string, headers: Readonly<Record<string, string>>): RequestHandler {
  let send: SendFile | undefined;
  return (request, response) => {
    send ??= serveFile(Buffer.from(create()));
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
  const document = () => createDocument(operations, OTHERS);
  const json = () => JSON.stringify(document());
  const page = () => referencePage(document());
  const router = Router({ caseSensitive: true });
  readOnlyRoute(router, '/openapi.json', serveText('application/json', json, {}));
  readOnlyRoute(router, '/docs', serveText('text/html', page, { 'Content-Security-Policy': PAGE_POLICY }));
  return router;
}
