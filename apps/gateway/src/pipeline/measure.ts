import { createDurations } from '@lectern/service-kit';
import type { RequestHandler } from 'express';
import type { Operation } from '#pipeline/operation';

const durations = createDurations(
  'lectern_http_duration_seconds',
  'Time of requests by operation and status; a stream counts to its end, 499 is a client that left',
);
const CLIENT_LEFT = 499;

/** Records rate, errors and durations of an operation. */
export function measure({ id }: Operation): RequestHandler {
  return (_request, response, next) => {
    const started = performance.now();
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : CLIENT_LEFT;
      durations.record((performance.now() - started) / 1000, { operation: id, status: String(status) });
    });
    next();
  };
}
