import { Router } from 'express';
import { findLogo } from '#branding/branding-store';
import type { Context } from '#context';
import { readOnlyRoute } from '#http/read-only-route';
import { measure } from '#pipeline/measure';

/** Shared caches must not keep it: an admin can remove a logo. */
const CACHE_CONTROL = 'private, max-age=86400, immutable';
/** A page that opens a logo runs nothing of it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
const ID = /^[\w-]{22}$/;

/**
 * Serves the logos of teams without a key, because the sign-in page has none. No one can guess the
 * address of one.
 */
export function brandingRouter({ db }: Context): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/branding', measure({ id: 'getLogo' }));
  readOnlyRoute<{ id: string }>(router, '/branding/:id', async (request, response, next) => {
    const { id } = request.params;
    const logo = ID.test(id) ? await findLogo(db, id) : undefined;
    if (logo === undefined) return next('router');
    response.setHeader('Cache-Control', CACHE_CONTROL);
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.setHeader('Content-Type', logo.type);
    response.setHeader('Content-Length', logo.bytes.length);
    response.end(request.method === 'HEAD' ? undefined : logo.bytes);
  });
  return router;
}
