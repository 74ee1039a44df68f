import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpStatusOfCode } from '@lectern/contracts';
import { AppError, newId } from '@lectern/service-kit';
import type { Config } from '#config';
import { REQUEST_ID_HEADER } from '#http/envelope';

const HEADERS_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 65_000;
/** Time for a client to read an error that was sent before its body arrived. */
const LINGER_MS = 5_000;
/** Time for streams to send their last event after the shutdown timeout. */
const FINAL_EVENTS_MS = 250;

export interface HttpServer {
  readonly port: number;
  /**
   * Stops accepting connections, waits for running requests, calls `end` after the timeout, then
   * closes all connections.
   */
  stop(timeoutMs: number, end: () => void): Promise<void>;
}

/** Creates an error response for a request that the application does not see. */
function errorResponse(message: string): {
  readonly status: number;
  readonly requestId: string;
  readonly body: string;
} {
  const { code } = new AppError('invalid_request', message);
  const requestId = newId('request');
  const meta = { requestId, timestamp: new Date().toISOString() };
  const details = { issues: [{ path: 'request', message }] };
  return {
    status: httpStatusOfCode(code),
    requestId,
    body: JSON.stringify({ error: { code, message, details }, meta }),
  };
}

/** Rejects a request before it reaches the application. */
function rejectRequest(response: ServerResponse, message: string): void {
  const { status, requestId, body } = errorResponse(message);
  response.writeHead(status, {
    [REQUEST_ID_HEADER]: requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}

/** HTTP/1.1 requires exactly one Host (RFC 9112, 3.2). Node would respond without a body. */
function requiringHost(listener: RequestListener): RequestListener {
  return (request, response) => {
    const hosts = request.headersDistinct.host?.length ?? 0;
    if (hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')) listener(request, response);
    else rejectRequest(response, 'The request must have exactly one Host header.');
  };
}

/** Responds to malformed HTTP in the format of the API. */
function rejectMalformedHttp(error: Error, socket: Duplex): void {
  if (Reflect.get(error, 'code') === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, requestId, body } = errorResponse(
    'The request is malformed, its headers are too large, or it arrived too slowly.',
  );
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Disconnects a client that keeps sending a body after the response. */
function disconnectLateSenders(server: Server): void {
  server.on('request', (request, response) => {
    response.once('finish', () => {
      if (request.complete) return;
      const timer = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
      request.once('close', () => clearTimeout(timer));
      request.resume();
    });
  });
}

/** Listens for HTTP, with limits on slow clients. */
export async function startHttpServer(listener: RequestListener, config: Config): Promise<HttpServer> {
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false },
    requiringHost(listener),
  );
  server.requestTimeout = Math.max(config.BODY_TIMEOUT_MS, config.UPLOAD_TIMEOUT_MS) + LINGER_MS;
  server.on('clientError', rejectMalformedHttp);
  server.on('checkExpectation', (_request, response) => {
    rejectRequest(response, 'Expect can only be 100-continue.');
  });
  disconnectLateSenders(server);
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(config.PORT, config.HOST, listening.resolve);
  await listening.promise;
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.PORT;
  return { port, stop: (timeoutMs, end) => stopHttpServer(server, timeoutMs, end) };
}

async function stopHttpServer(server: Server, timeoutMs: number, end: () => void): Promise<void> {
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  // Connections become idle one by one after the server closes.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const timeout = setTimeout(end, timeoutMs);
  const force = setTimeout(() => server.closeAllConnections(), timeoutMs + FINAL_EVENTS_MS);
  await closed.promise;
  clearInterval(idle);
  clearTimeout(timeout);
  clearTimeout(force);
}
