import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { trace } from '@opentelemetry/api';
import type { RequestHandler, Response } from 'express';
import type { Context } from '#context';
import { type ApiResponse, isReplayed, type StreamEvent } from '#http/api-response';
import { createRequestBody } from '#http/body/request-body';
import { requestIdOf, sendData } from '#http/envelope';
import { hasCurrent } from '#http/if-match';
import { sendLines } from '#http/send-lines';
import { sendStream } from '#http/sse';
import { requireOwnPage } from '#identity/own-page';
import { clientAddress, clientNetwork, isForwardedOverTls } from '#limits/client-ip';
import { rateLimited } from '#limits/rate-headers';
import type { KeyedCall, KeyedOperation, OpenCall, Operation, RawRequest } from '#pipeline/operation';
import { createRequestUsage, type RequestUsage } from '#usage/request-usage';

/** The lowest status of an error. */
const MIN_ERROR_STATUS = 400;

/**
 * Logs and counts a request when it ends. Usage counts the time until the response begins, the log
 * contains the total time.
 */
function recordWhenClosed(ctx: Context, response: Response, operation: Operation, call: OpenCall): void {
  response.once('close', () => {
    const totalMs = performance.now() - call.startedAt;
    const { statusCode: status, writableFinished } = response;
    const line = { operation: operation.id, status, durationMs: Math.round(totalMs) };
    if (writableFinished) call.log.info(line, 'request');
    else call.log.info(line, 'the client disconnected before the response');
    const { usage } = call;
    const durationMs = usage.beganMs ?? (writableFinished ? totalMs : undefined);
    ctx.usage.count(usage, { failed: usage.failed || (writableFinished && status >= MIN_ERROR_STATUS), durationMs });
  });
}

/** Creates the usage of a request. A resumed stream was counted when it started. */
function usageOf({ usage = 'other', stream }: Operation, headers: IncomingHttpHeaders) {
  const isResumed = stream?.resumable === true && headers['last-event-id'] !== undefined;
  return createRequestUsage(isResumed ? 'other' : usage);
}

/** Warns a caller whose soft limit is reached. */
function setBudgetWarning(response: Response, { budgetWarning }: RequestUsage): void {
  if (budgetWarning !== undefined) response.setHeader('X-Budget-Warning', budgetWarning);
}

async function send(
  ctx: Context,
  operation: Operation,
  response: Response,
  result: ApiResponse,
  call: OpenCall,
  revoked?: AbortSignal,
) {
  const { log, usage } = call;
  // Replayed responses were already counted.
  if (isReplayed(result)) usage.kind = 'other';
  setBudgetWarning(response, usage);
  if (result.kind === 'data') {
    for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, value);
    const etag = operation.method === 'get' ? result.headers?.ETag : undefined;
    if (etag !== undefined && hasCurrent(response.req.headers, etag)) {
      response.statusCode = 304;
      response.end();
      return;
    }
    await sendData(response, result.status ?? operation.success, result.data, result.page);
    return;
  }
  if (result.kind === 'redirect') {
    response.statusCode = 302;
    response.setHeader('Location', result.location);
    response.end();
    return;
  }
  if (result.kind === 'lines') {
    await sendLines(response, result.records, (err) => {
      usage.failed = true;
      log.error({ err }, 'could not send all lines');
    });
    return;
  }
  if (result.kind === 'body') {
    response.statusCode = result.status;
    if (result.contentType !== null) response.setHeader('Content-Type', result.contentType);
    usage.beganMs = performance.now() - call.startedAt;
    try {
      await pipeline(result.body, response);
    } catch (error) {
      if (!response.destroyed) throw error;
    } finally {
      await result.onEnd();
    }
    return;
  }
  if (result.kind === 'bytes') {
    response.statusCode = result.status;
    for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, value);
    if (result.contentType !== null) response.setHeader('Content-Type', result.contentType);
    response.setHeader('Content-Length', result.bytes.length);
    response.end(result.bytes);
    return;
  }
  if (operation.stream === undefined) throw new TypeError(`${operation.id} returned a stream but does not specify one`);
  const stopping = operation.stream.restartable ? ctx.lifecycle.stopping : ctx.lifecycle.ended;
  const onBegin = () => {
    usage.beganMs = performance.now() - call.startedAt;
    setBudgetWarning(response, usage);
  };
  const onEnd = ({ event }: StreamEvent) => {
    usage.failed = event === 'error';
  };
  const { events, waitMs, format } = result;
  await sendStream(response, events, { ...operation.stream, stopping, log, onBegin, onEnd, waitMs, format, revoked });
}

async function serveKeyed(
  ctx: Context,
  operation: KeyedOperation,
  request: RawRequest,
  response: Response,
  call: KeyedCall,
) {
  if (!staysOpen(operation)) {
    await send(ctx, operation, response, await operation.run(ctx, request, call), call);
    return;
  }
  const watch = ctx.keyWatches.watch(call);
  const watched = { ...call, signal: AbortSignal.any([call.signal, watch.signal]) };
  try {
    if (operation.stream === undefined) {
      const result = await Promise.race([operation.run(ctx, request, watched), watch.ended]);
      await send(ctx, operation, response, result, watched);
    } else await serveStream(ctx, operation, request, response, watched, watch.signal);
  } finally {
    watch.stop();
  }
}

/**
 * True for operations that take so long that their key can be revoked meanwhile: streams, and
 * operations that wait for a language model.
 */
const staysOpen = ({ stream, lines, usage, id }: KeyedOperation) =>
  stream !== undefined || lines !== undefined || usage === 'chat' || id === MCP;
const MCP = 'mcp';

async function serveStream(
  ctx: Context,
  operation: KeyedOperation,
  request: RawRequest,
  response: Response,
  call: KeyedCall,
  revoked: AbortSignal,
) {
  // One user of a web page must not use up the streams of the pair.
  const { pairId, token } = call.key;
  const slots = token === undefined ? pairId : `${pairId}:${token.user}`;
  if (!ctx.streams.open(slots)) {
    throw rateLimited(response, 1, 'Too many open streams with this API key. Wait for one to end.');
  }
  try {
    await send(ctx, operation, response, await operation.run(ctx, request, call), call, revoked);
  } finally {
    ctx.streams.close(slots);
  }
}

/** Checks a request of an operation without a key. Throws `forbidden` and `rate_limited`. */
function admitOpen(ctx: Context, { addressLimit, isForOwnPages }: Operation, call: OpenCall, response: Response): void {
  if (isForOwnPages === true) requireOwnPage(call.headers, { isRead: false, publicUrl: ctx.config.PUBLIC_URL });
  if (addressLimit !== undefined) ctx[addressLimit].take(clientNetwork(call.client.address), response);
}

/** The longest User-Agent that is stored. */
const MAX_USER_AGENT = 300;

/** Describes the client of a request. */
export function clientOf(
  { config, isTrustedProxy }: Pick<Context, 'config' | 'isTrustedProxy'>,
  message: IncomingMessage,
): OpenCall['client'] {
  return {
    address: clientAddress(message, isTrustedProxy),
    userAgent: message.headers['user-agent']?.slice(0, MAX_USER_AGENT),
    isSecure: config.PUBLIC_URL?.startsWith('https:') === true || isForwardedOverTls(message, isTrustedProxy),
  };
}

/**
 * Serves one operation: authenticate, authorize, parse, handle, respond. Errors go to the error
 * handler.
 */
export function runOperation(ctx: Context, operation: Operation): RequestHandler {
  return async (message, response) => {
    const requestId = requestIdOf(response);
    const aborter = new AbortController();
    response.once('close', () => response.writableFinished || aborter.abort());
    trace.getActiveSpan()?.setAttributes({ 'lectern.request_id': requestId, 'lectern.operation': operation.id });
    const call: OpenCall = {
      requestId,
      host: message.headers.host,
      headers: message.headers,
      client: clientOf(ctx, message),
      lastEventId: message.headers['last-event-id']?.toString(),
      signal: aborter.signal,
      log: ctx.log.child({ requestId }),
      startedAt: performance.now(),
      usage: usageOf(operation, message.headers),
    };
    recordWhenClosed(ctx, response, operation, call);
    const body = createRequestBody(message, operation.body, ctx);
    const request: RawRequest = { params: message.params, query: message.query, message, body };
    try {
      if (operation.access === 'open') {
        admitOpen(ctx, operation, call, response);
        await send(ctx, operation, response, await operation.run(ctx, request, call), call);
      } else {
        const keyed = await ctx.admit(ctx, operation, request, response, call);
        await serveKeyed(ctx, operation, request, response, keyed);
      }
    } finally {
      await body.dispose();
    }
  };
}
