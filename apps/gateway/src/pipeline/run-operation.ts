import type { IncomingHttpHeaders } from 'node:http';
import { trace } from '@opentelemetry/api';
import type { RequestHandler, Response } from 'express';
import type { Context } from '#context';
import { type Answer, isReplayed, type StreamEvent } from '#http/answer';
import { createRequestBody } from '#http/body/request-body';
import { requestIdOf, sendData } from '#http/envelope';
import { hasCurrent } from '#http/if-match';
import { sendStream } from '#http/sse';
import { clientAddress, clientNetwork } from '#limits/client-ip';
import { rateLimited } from '#limits/rate-headers';
import type { KeyedCall, KeyedOperation, OpenCall, Operation, RawRequest } from '#pipeline/operation';
import { createRequestUsage, noteEnd } from '#usage/request-usage';

/** The first status of an error. */
const ERRORS = 400;

/**
 * Logs and counts a request when it ends. Usage counts the time until the response begins, the log
 * the whole time.
 */
function noteWhenClosed(ctx: Context, response: Response, operation: Operation, call: OpenCall): void {
  response.once('close', () => {
    const totalMs = performance.now() - call.startedAt;
    const { statusCode: status, writableFinished } = response;
    const line = { operation: operation.id, status, durationMs: Math.round(totalMs) };
    if (writableFinished) call.log.info(line, 'request');
    else call.log.info(line, 'request left by its client');
    const { usage } = call;
    const durationMs = usage.beganMs ?? (writableFinished ? totalMs : undefined);
    ctx.usage.count(usage, { failed: usage.failed || (writableFinished && status >= ERRORS), durationMs });
  });
}

/** Creates the usage of a request. A resumed stream was counted when it started. */
function usageOf({ usage = 'other', stream }: Operation, headers: IncomingHttpHeaders) {
  const isResumed = stream?.continues === true && headers['last-event-id'] !== undefined;
  return createRequestUsage(isResumed ? 'other' : usage);
}

async function send(
  ctx: Context,
  operation: Operation,
  response: Response,
  answer: Answer,
  call: OpenCall,
  revoked?: AbortSignal,
) {
  const { log, usage } = call;
  // Replayed responses were already counted.
  if (isReplayed(answer)) usage.kind = 'other';
  if (answer.kind === 'data') {
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
    const etag = operation.method === 'get' ? answer.headers?.ETag : undefined;
    if (etag !== undefined && hasCurrent(response.req.headers, etag)) {
      response.statusCode = 304;
      response.end();
      return;
    }
    await sendData(response, answer.status ?? operation.success, answer.data, answer.page);
    return;
  }
  if (answer.kind === 'redirect') {
    response.statusCode = 302;
    response.setHeader('Location', answer.location);
    response.end();
    return;
  }
  if (answer.kind === 'bytes') {
    response.statusCode = answer.status;
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
    if (answer.contentType !== null) response.setHeader('Content-Type', answer.contentType);
    response.setHeader('Content-Length', answer.bytes.length);
    response.end(answer.bytes);
    return;
  }
  if (operation.stream === undefined) throw new TypeError(`${operation.id} returned a stream but does not specify one`);
  const stopping = operation.stream.resumable ? ctx.lifecycle.stopping : ctx.lifecycle.ended;
  const onBegin = () => {
    usage.beganMs = performance.now() - call.startedAt;
  };
  const onEnd = (last: StreamEvent) => noteEnd(usage, last);
  const { events, waitMs } = answer;
  await sendStream(response, events, { ...operation.stream, stopping, log, onBegin, onEnd, waitMs, revoked });
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
  const watch = ctx.keyWatches.watch(call.presentedKey, call.key);
  const watched = { ...call, signal: AbortSignal.any([call.signal, watch.signal]) };
  try {
    if (operation.stream === undefined) {
      const answer = await Promise.race([operation.run(ctx, request, watched), watch.ended]);
      await send(ctx, operation, response, answer, watched);
    } else await serveStream(ctx, operation, request, response, watched, watch.signal);
  } finally {
    watch.stop();
  }
}

/**
 * True for operations long enough that their key may be revoked meanwhile: streams, and operations
 * that wait for a language model.
 */
const staysOpen = ({ stream, usage, id }: KeyedOperation) => stream !== undefined || usage === 'chat' || id === MCP;
const MCP = 'mcp';

async function serveStream(
  ctx: Context,
  operation: KeyedOperation,
  request: RawRequest,
  response: Response,
  call: KeyedCall,
  revoked: AbortSignal,
) {
  const { pairId } = call.key;
  if (!ctx.streams.open(pairId)) {
    throw rateLimited(response, 1, 'This API key has as many streams open as it may. Wait for one to end.');
  }
  try {
    await send(ctx, operation, response, await operation.run(ctx, request, call), call, revoked);
  } finally {
    ctx.streams.close(pairId);
  }
}

/** Applies the limit of an operation without a key. Throws `rate_limited`. */
function limitAddress(ctx: Context, { addressLimit }: Operation, { message }: RawRequest, response: Response): void {
  if (addressLimit === undefined) return;
  ctx[addressLimit].take(clientNetwork(clientAddress(message, ctx.isTrustedProxy)), response);
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
      lastEventId: message.headers['last-event-id']?.toString(),
      signal: aborter.signal,
      log: ctx.log.child({ requestId }),
      startedAt: performance.now(),
      usage: usageOf(operation, message.headers),
    };
    noteWhenClosed(ctx, response, operation, call);
    const body = createRequestBody(message, operation.body, ctx);
    const request: RawRequest = { params: message.params, query: message.query, message, body };
    try {
      if (operation.access === 'open') {
        limitAddress(ctx, operation, request, response);
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
