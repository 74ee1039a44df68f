import type { ServerMiddleware } from 'nice-grpc-common';
import { toAppError } from '#errors/to-app-error';
import { createDurations } from '#metrics/instruments';

const durations = createDurations(
  'lectern_rpc_duration_seconds',
  'Duration of calls by service, method and code; streams until their end',
);

/** Records the duration and error code of each call. Runs inside the error boundary. */
export function rpcMetrics(): ServerMiddleware {
  return async function* rpcMetrics(call, context) {
    const started = performance.now();
    let code = 'ok';
    try {
      return yield* call.next(call.request, context);
    } catch (error) {
      code = toAppError(error).code;
      throw error;
    } finally {
      const [, service = '', method = ''] = call.method.path.split('/');
      const name = service.slice(service.lastIndexOf('.') + 1);
      durations.record((performance.now() - started) / 1000, { service: name, method, code });
    }
  };
}
