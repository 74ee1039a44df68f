import { trace } from '@opentelemetry/api';
import type { RequestHandler, Response } from 'express';
import type { Context } from '#context';
import { admit } from '#http/admit';
import type { Answer } from '#http/answer';
import { requestIdOf, sendData } from '#http/envelope';
import type { OpenCall, Operation, RawRequest } from '#http/operation';
import { sendStream } from '#http/sse';

function logWhenClosed(response: Response, operation: Operation, call: OpenCall): void {
  const started = performance.now();
  response.once('close', () => {
    const durationMs = Math.round(performance.now() - started);
    const line = { operation: operation.id, status: response.statusCode, durationMs };
    if (response.writableFinished) call.log.info(line, 'request');
    else call.log.info(line, 'request left by its client');
  });
}

async function send(ctx: Context, operation: Operation, response: Response, answer: Answer, call: OpenCall) {
  if (answer.kind === 'data') {
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
    sendData(response, operation.success, answer.data, answer.page);
    return;
  }
  if (answer.kind === 'redirect') {
    response.statusCode = 302;
    response.setHeader('Location', answer.location);
    response.end();
    return;
  }
  if (operation.stream === undefined) throw new TypeError(`${operation.id} answers a stream but describes none`);
  const stopping = operation.stream.resumable ? ctx.lifecycle.stopping : ctx.lifecycle.ended;
  await sendStream(response, answer.events, { ...operation.stream, stopping, log: call.log });
}

/** Serves one operation: who is it, may they, what do they want, do it, answer. Errors go on to the error handler. */
export function runOperation(ctx: Context, operation: Operation): RequestHandler {
  return async (message, response) => {
    const requestId = requestIdOf(response);
    const aborter = new AbortController();
    response.once('close', () => response.writableFinished || aborter.abort());
    trace.getActiveSpan()?.setAttributes({ 'lectern.request_id': requestId, 'lectern.operation': operation.id });
    const call: OpenCall = {
      requestId,
      host: message.headers.host,
      signal: aborter.signal,
      log: ctx.log.child({ requestId }),
    };
    logWhenClosed(response, operation, call);
    const request: RawRequest = { params: message.params, query: message.query, message };
    const answer =
      operation.access === 'open'
        ? await operation.run(ctx, request, call)
        : await operation.run(ctx, request, await admit(ctx, operation.access, request, call));
    await send(ctx, operation, response, answer, call);
  };
}
