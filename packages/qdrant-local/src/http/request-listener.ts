import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Catalog } from '../collection/catalog.ts';
import { QdrantError } from '../errors.ts';
import { createKeyCheck } from './api-key.ts';
import { createBrowserGuard } from './browser-guard.ts';
import { readBody } from './read-body.ts';
import type { Reply } from './route.ts';
import { createRouter } from './router.ts';
import { collectionRoutes } from './routes/collections.ts';
import { pointRoutes } from './routes/points.ts';
import { searchRoutes } from './routes/search.ts';
import { serviceRoutes } from './routes/service.ts';

function send(response: ServerResponse, status: number, type: string, content: string | Buffer): void {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  response.writeHead(status, { 'content-type': type, 'content-length': body.length });
  response.end(body);
}

function sendError(response: ServerResponse, error: unknown, seconds: number): void {
  const known = error instanceof QdrantError;
  const status = known ? error.status : 500;
  const message = known ? error.message : 'Service internal error: see the server log';
  // The rest of the body is not read, so the connection cannot be reused.
  if (status === 413 || status === 415 || status === 403) response.setHeader('connection', 'close');
  send(response, status, 'application/json', JSON.stringify({ status: { error: message }, time: seconds }));
}

function sendReply(response: ServerResponse, reply: Reply, seconds: number): void {
  if (reply.kind === 'text') send(response, 200, 'text/plain; charset=utf-8', reply.body);
  else if (reply.kind === 'json') send(response, 200, 'application/json', JSON.stringify(reply.body));
  else if (reply.kind === 'written') {
    const end = `,"status":"ok","time":${seconds}}`;
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': reply.bytes.length + Buffer.byteLength(end),
    });
    response.write(reply.bytes);
    response.end(end);
  } else send(response, 200, 'application/json', JSON.stringify({ result: reply.result, status: 'ok', time: seconds }));
}

/** Who can send requests. */
export interface Access {
  readonly apiKey: string | undefined;
  /** Additional names of this server in the `Host` header. */
  readonly allowedHosts: readonly string[];
  /** True to accept every `Host`. */
  readonly anyHost: boolean;
}

/** Serves Qdrant's REST API for a catalog. Calls `warn` for internal errors. */
export function createRequestListener(
  catalog: Catalog,
  { apiKey, allowedHosts, anyHost }: Access,
  warn: (message: string) => void,
): RequestListener {
  const findRoute = createRouter([...serviceRoutes, ...collectionRoutes, ...pointRoutes, ...searchRoutes]);
  const checkKey = createKeyCheck(apiKey);
  const assertAllowedOrigin = createBrowserGuard(allowedHosts, anyHost);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const seconds = (): number => (performance.now() - startedAt) / 1000;
    try {
      const url = request.url ?? '/';
      const mark = url.indexOf('?');
      const path = mark < 0 ? url : url.slice(0, mark);
      assertAllowedOrigin(request.headers);
      const problem = checkKey(path, request.headers);
      if (problem) return send(response, 401, 'text/plain; charset=utf-8', problem);
      const match = findRoute(request.method ?? 'GET', path);
      if (!match) throw new QdrantError(404, `Not found: ${request.method} ${path} is not served by qdrant-local`);
      const body = await readBody(request);
      const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
      const reply = await match.route.handle({ catalog, params: match.params, query, body });
      sendReply(response, reply, seconds());
    } catch (error) {
      // The client disconnected during its request: no response to send, and no error.
      if (request.destroyed && !request.complete) return;
      if (!(error instanceof QdrantError) || error.status >= 500)
        warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
      if (!response.headersSent) sendError(response, error, seconds());
      else response.destroy();
    }
  }

  return (request, response) => void handle(request, response);
}
