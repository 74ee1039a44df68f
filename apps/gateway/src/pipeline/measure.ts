import { createDurations } from '@lectern/service-kit';
import type { RequestHandler } from 'express';
import type { Operation } from '#pipeline/operation';

const durations = createDurations(
  'lectern_http_duration_seconds',
  'Duration of requests by operation and status. A stream counts until its end; 499 means that the client disconnected',
);
const CLIENT_DISCONNECTED = 499;

/** Records rate, errors and durations of an operation. */
export function measure({ id }: Pick<Operation, 'id'>): RequestHandler {
  return (_request, response, next) => {
    const started = performance.now();
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : CLIENT_DISCONNECTED;
      durations.record((performance.now() - started) / 1000, { operation: id, status: String(status) });
    });
    next();
  };
}
