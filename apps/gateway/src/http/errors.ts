import type { ServerResponse } from 'node:http';
import { AppError, invalidRequest, type Logger, toAppError } from '@lectern/service-kit';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { requestIdOf, sendError } from '#http/envelope';

/** True for the router’s own error about a malformed percent encoding in the path. */
function isUnreadablePath(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'status') === 400;
}

/** The error if a service cancelled a call while the client is still connected. */
function interrupted(error: AppError): AppError {
  return new AppError('unavailable', 'A part of the service restarted during the request. Retry.', { cause: error });
}

/** Sends an error in the format of a protocol. */
export type SendFailure = (response: ServerResponse, error: AppError) => void;

/**
 * Handles every error of a request. An unknown error is logged with its cause, which the response
 * omits.
 */
export function errorHandler(log: Logger, send: SendFailure = sendError): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (thrown, _request, response, _next) => {
    const unreadable = isUnreadablePath(thrown);
    const known = unreadable ? invalidRequest([{ path: 'path', message: 'must be valid percent encoding' }]) : thrown;
    const appError = toAppError(known);
    const gone = response.destroyed || response.headersSent;
    const error = appError.code === 'cancelled' && !gone ? interrupted(appError) : appError;
    const line = { requestId: requestIdOf(response), code: error.code };
    if (error.code === 'internal_error') log.error({ ...line, err: thrown }, 'request failed');
    else if (error.code === 'unavailable' || error.code === 'timeout')
      log.warn({ ...line, err: error.cause }, 'request failed');
    else log.debug(line, 'request rejected');
    if (gone) response.destroy();
    else send(response, error);
  };
}

/** Responds to unknown paths. */
export const unknownPath: RequestHandler = (request) => {
  throw new AppError('not_found', `The path ${request.path.slice(0, 200)} does not exist.`, {
    details: { resource: 'path', id: request.path.slice(0, 200) },
  });
};

/** Responds to unsupported methods of a path. */
export function otherMethod(allowed: string): RequestHandler {
  return (request, response) => {
    response.setHeader('Allow', allowed);
    throw new AppError('method_not_allowed', `${request.method} is not supported here. Use one of ${allowed}.`);
  };
}
