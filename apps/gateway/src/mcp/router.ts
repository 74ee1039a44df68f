import { AppError } from '@lectern/service-kit';
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import type { Context } from '#context';
import { preflight } from '#http/cors';
import { errorHandler, type SendFailure } from '#http/errors';
import { knownAppUrls } from '#identity/app-urls';
import { requireAllowedOrigin } from '#mcp/allowed-origin';
import { mcpEndpoint } from '#mcp/endpoint';
import { sendMcpError } from '#mcp/errors';
import { measure } from '#pipeline/measure';
import { clientOf, runOperation } from '#pipeline/run-operation';

const METHODS = 'POST, OPTIONS';
/** Headers that browsers send in addition to those of the API. */
const MCP_HEADERS = ['Last-Event-ID', 'Mcp-Protocol-Version', 'Mcp-Session-Id'];

/** Rejects pages of other origins, and lets only allowed pages read responses. */
function checkOrigin({ config }: Context): RequestHandler {
  return ({ headers: { origin } }, response, next) => {
    response.setHeader('Vary', 'Origin');
    response.removeHeader('Access-Control-Allow-Origin');
    requireAllowedOrigin(origin, config);
    if (origin !== undefined) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.appendHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, WWW-Authenticate');
    }
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
  router.use('/mcp', (thrown: unknown, request: Request, response: Response, next: NextFunction) => {
    const urls = knownAppUrls(ctx.config.PUBLIC_URL, { host: request.headers.host, client: clientOf(ctx, request) });
    const send: SendFailure = (to, error) => sendMcpError(to, error, urls);
    errorHandler(ctx.log, send)(thrown, request, response, next);
  });
  return router;
}
