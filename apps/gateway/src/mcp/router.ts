import { AppError } from '@lectern/service-kit';
import { type RequestHandler, Router } from 'express';
import type { Context } from '#context';
import { preflight } from '#http/cors';
import { errorHandler } from '#http/errors';
import { requireAllowedOrigin } from '#mcp/allowed-origin';
import { mcpEndpoint } from '#mcp/endpoint';
import { sendMcpError } from '#mcp/errors';
import { measure } from '#pipeline/measure';
import { runOperation } from '#pipeline/run-operation';

const METHODS = 'POST, OPTIONS';
/** Headers that browsers send in addition to those of the API. */
const MCP_HEADERS = ['Last-Event-ID', 'Mcp-Protocol-Version', 'Mcp-Session-Id'];

/** Rejects pages of other origins, and lets only allowed pages read responses. */
function checkOrigin({ config }: Context): RequestHandler {
  return ({ headers: { origin } }, response, next) => {
    response.setHeader('Vary', 'Origin');
    response.removeHeader('Access-Control-Allow-Origin');
    requireAllowedOrigin(origin, config);
    if (origin !== undefined) response.setHeader('Access-Control-Allow-Origin', origin);
    next();
  };
}

/** The protocol requires 405 for GET without streams and for DELETE without sessions. */
const otherMethod: RequestHandler = (request, response) => {
  response.setHeader('Allow', METHODS);
  throw new AppError(
    'method_not_allowed',
    `${request.method} is not supported here. Send each message in a separate POST.`,
  );
};

/** Serves the Model Context Protocol at `/mcp`. */
export function mcpRouter(ctx: Context): Router {
  const router = Router({ caseSensitive: true });
  const route = router.route('/mcp');
  route.all(checkOrigin(ctx));
  route.post(measure(mcpEndpoint), runOperation(ctx, mcpEndpoint));
  route.options(preflight(METHODS, MCP_HEADERS));
  route.all(otherMethod);
  router.use('/mcp', errorHandler(ctx.log, sendMcpError));
  return router;
}
