import { trace } from '@opentelemetry/api';
import { type CallContext, ServerError, type ServerMiddleware } from 'nice-grpc-common';
import { readCaller } from '#caller';
import { toServerError } from '#errors/error-info';
import { toAppError } from '#errors/to-app-error';
import { REQUEST_ID_KEY, type ServiceCall } from '#grpc/call';
import { newId } from '#ids';
import type { Logger } from '#logging';

/**
 * Converts every error to a gRPC status with an error code. Logs unexpected errors with their
 * cause.
 */
export function errorBoundary(log: Logger): ServerMiddleware {
  return async function* errorBoundary(call, context) {
    try {
      return yield* call.next(call.request, context);
    } catch (thrown) {
      if (thrown instanceof ServerError) throw thrown;
      const error = toAppError(thrown);
      const line = { method: call.method.path, requestId: context.metadata.get(REQUEST_ID_KEY), code: error.code };
      if (error.code === 'internal_error') log.error({ ...line, err: thrown }, 'call failed');
      else if (error.cause !== undefined && error.code !== 'cancelled')
        log.warn({ ...line, err: error }, 'call failed');
      else log.debug(line, 'call rejected');
      throw toServerError(error, context.trailer);
    }
  };
}

/** Logs each call with its duration, at debug. */
export function callLog(log: Logger): ServerMiddleware {
  return async function* callLog(call, context) {
    const started = performance.now();
    try {
      return yield* call.next(call.request, context);
    } finally {
      log.debug(
        {
          method: call.method.path,
          requestId: context.metadata.get(REQUEST_ID_KEY),
          durationMs: Math.round(performance.now() - started),
        },
        'call',
      );
    }
  };
}

/** Requires a caller for each call and passes a `ServiceCall` to handlers. */
export function callerRequired(log: Logger): ServerMiddleware<Omit<ServiceCall, keyof CallContext>> {
  return async function* callerRequired(call, context) {
    const caller = readCaller(context.metadata);
    const requestId = context.metadata.get(REQUEST_ID_KEY) ?? newId('request');
    trace.getActiveSpan()?.setAttributes({ 'lectern.request_id': requestId, 'lectern.team_id': caller.teamId });
    return yield* call.next(call.request, { ...context, caller, requestId, log: log.child({ requestId }) });
  };
}
