import { Router } from 'express';
import type { Context } from '#context';
import { errorHandler, unknownPath } from '#http/errors';
import { sendOpenAiError } from '#openai/errors';
import { openAiOperations } from '#openai/operations';
import { openAiRateHeaders } from '#openai/rate-headers';
import { buildRouter } from '#pipeline/build-router';

/** Paths of Lectern's own API below `/v1`. */
const OWN_PATHS = /^\/docs(?:\/|$)/;

/**
 * Serves the OpenAI-compatible API below `/v1`. Its operations pass the same pipeline as others, but are
 * not in the table of operations, because their responses and errors have OpenAI's form.
 */
export function openAiRouter(ctx: Context): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const own = Router({ caseSensitive: true, strict: true });
  own.use((request, _response, next) => next(OWN_PATHS.test(request.path) ? 'router' : undefined));
  own.use(openAiRateHeaders);
  router.use('/v1', own);
  router.use(buildRouter(ctx, openAiOperations));
  router.use('/v1', (request, response, next) =>
    OWN_PATHS.test(request.path) ? next() : unknownPath(request, response, next),
  );
  router.use('/v1', errorHandler(ctx.log, sendOpenAiError));
  return router;
}
