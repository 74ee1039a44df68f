import { AppError } from '@lectern/service-kit';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { parseClientMetadata } from '#apps/client-metadata';
import { registerClient } from '#apps/client-store';
import { resourceMetadata, serverMetadata } from '#apps/metadata';
import { sendOauthError } from '#apps/oauth-error';
import { issueTokens, revokeToken, type TokenCall } from '#apps/tokens';
import type { Context } from '#context';
import { readBytes } from '#http/body/read-bytes';
import { readJson } from '#http/body/read-json';
import { preflight } from '#http/cors';
import { requestIdOf } from '#http/envelope';
import { errorHandler, otherMethod } from '#http/errors';
import { type AppUrls, appUrls } from '#identity/app-urls';
import { clientNetwork } from '#limits/client-ip';
import { measure } from '#pipeline/measure';
import { clientOf } from '#pipeline/run-operation';

const FORM = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 16 * 1024;
/** Longer requests do not fit into the return path of a sign-in. */
const MAX_QUERY = 3_900;

const urlsOf = (ctx: Context, request: Request): AppUrls =>
  appUrls(ctx.config.PUBLIC_URL, { host: request.headers.host, client: clientOf(ctx, request) });

function sendJson(response: Response, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.status(status).end(response.req.method === 'HEAD' ? undefined : bytes);
}

async function readForm({ config }: Context, request: Request): Promise<URLSearchParams> {
  if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== FORM) {
    throw new AppError('unsupported_media_type', `Content-Type must be ${FORM}.`);
  }
  const source = { headers: request.headers, bytes: request, isComplete: () => request.complete };
  const limits = { limitBytes: MAX_FORM_BYTES, timeoutMs: config.BODY_TIMEOUT_MS };
  return new URLSearchParams((await readBytes(source, limits)).toString());
}

async function tokenCallOf(ctx: Context, request: Request, response: Response): Promise<TokenCall> {
  const { address, userAgent } = clientOf(ctx, request);
  const urls = urlsOf(ctx, request);
  return { form: await readForm(ctx, request), urls, origin: address, userAgent, requestId: requestIdOf(response) };
}

/** Runs a request with a form. Only failures count, because the users of a hosted app share an address. */
const formRoute =
  (
    ctx: Context,
    handle: (call: TokenCall) => Promise<{ readonly isCounted: boolean; readonly body: object }>,
  ): RequestHandler =>
  async (request, response) => {
    const network = clientNetwork(clientOf(ctx, request).address);
    ctx.appTokenFailures.take(network, response);
    const { isCounted, body } = await handle(await tokenCallOf(ctx, request, response));
    if (!isCounted) ctx.appTokenFailures.giveBack(network);
    response.setHeader('Pragma', 'no-cache');
    sendJson(response, 200, body);
  };

/**
 * The authorization server for apps that people connect (OAuth 2.1). The RFCs describe its requests, so
 * it is not in the table of operations. People agree on a page of the console.
 */
export function appsRouter(ctx: Context): Router {
  const router = Router({ caseSensitive: true });
  const at = (path: string | readonly string[], id: string, method: 'get' | 'post', handle: RequestHandler) => {
    const allowed = method === 'get' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
    const route = router.route([path].flat());
    route[method](measure({ id }), handle);
    route.options(preflight(allowed, ['Mcp-Protocol-Version']));
    route.all(otherMethod(allowed));
  };

  at(
    ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'],
    'oauthResourceMetadata',
    'get',
    (request, response) => sendJson(response, 200, resourceMetadata(urlsOf(ctx, request))),
  );
  at('/.well-known/oauth-authorization-server', 'oauthServerMetadata', 'get', (request, response) =>
    sendJson(response, 200, serverMetadata(urlsOf(ctx, request))),
  );

  // Nothing is checked or stored before the person has signed in.
  at('/oauth/authorize', 'oauthAuthorize', 'get', (request, response) => {
    const { search } = new URL(request.originalUrl, 'http://installation.invalid');
    response.removeHeader('Access-Control-Allow-Origin');
    response.setHeader('Location', search.length > MAX_QUERY ? '/console/connect' : `/console/connect${search}`);
    response.status(302).end();
  });

  at('/oauth/register', 'oauthRegister', 'post', async (request, response) => {
    urlsOf(ctx, request);
    ctx.appRegistrations.take(clientNetwork(clientOf(ctx, request).address), response);
    const source = { headers: request.headers, bytes: request, isComplete: () => request.complete };
    const metadata = parseClientMetadata(await readJson(source, ctx.config, 'MAX_SMALL_JSON_BYTES'));
    const client = await registerClient(ctx.db, metadata);
    sendJson(response, 201, {
      client_id: client.id,
      client_id_issued_at: Math.floor(client.createdAt.getTime() / 1_000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });

  at(
    '/oauth/token',
    'oauthToken',
    'post',
    formRoute(ctx, async (call) => ({ isCounted: false, body: await issueTokens(ctx, call) })),
  );
  at(
    '/oauth/revoke',
    'oauthRevoke',
    'post',
    formRoute(ctx, async (call) => ({ isCounted: !(await revokeToken(ctx, call)), body: {} })),
  );

  router.use(['/oauth', '/.well-known'], errorHandler(ctx.log, sendOauthError));
  return router;
}
