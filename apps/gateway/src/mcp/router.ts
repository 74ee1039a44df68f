import { AppError } from '@lectern/service-kit';
import { type RequestHandler, Router } from 'express';
import type { Context } from '#context';
import { preflight } from '#http/cors';
import { errorHandler } from '#http/errors';
import { requireAllowedOrigin } from '#mcp/allowed-origin';
import { mcpEndpoint } from '#mcp/endpoint';
import { sendMcpError } from '#mcp/error-answer';
import { measure } from '#pipeline/measure';
import { runOperation } from '#pipeline/run-operation';

const METHODS = 'POST, OPTIONS';
/** What a browser sends beyond the API's own headers. */
const MCP_HEADERS = ['Last-Event-ID', 'Mcp-Protocol-Version', 'Mcp-Session-Id'];

/** Lets only pages in that may use MCP, and only them read the answers. */
function checkOrigin({ config }: Context): RequestHandler {
  return ({ headers: { origin } }, response, next) => {
    response.setHeader('Vary', 'Origin');
    response.removeHeader('Access-Control-Allow-Origin');
    requireAllowedOrigin(origin, config);
    if (origin !== undefined) response.setHeader('Access-Control-Allow-Origin', origin);
    next();
  };
}

/** There is no stream to be opened (GET) and no session to be ended (DELETE): the protocol has 405 for both. */
const otherMethod: RequestHandler = (request, response) => {
  response.setHeader('Allow', METHODS);
  throw new AppError(
    'method_not_allowed',
    `${request.method} is not possible here: messages are sent by POST, each by itself.`,
  );
};

/** The Model Context Protocol at `/mcp`. */
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
