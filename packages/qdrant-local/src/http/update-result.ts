import { badRequest } from '../errors.ts';
import { type Reply, type RequestContext, result } from './route.ts';

/**
 * Returns the result of a change. The change is already durable; `wait` only selects the status, as
 * in Qdrant.
 */
export function updateStatus(context: RequestContext, operation: number) {
  const wait = context.query.get('wait') ?? 'false';
  if (wait !== 'true' && wait !== 'false')
    throw badRequest('Deserialize error in query parameters: wait: expected `true` or `false`');
  return { operation_id: operation, status: wait === 'true' ? 'completed' : 'acknowledged' } as const;
}

/** Creates the response to a change. */
export function updateResult(context: RequestContext, operation: number): Reply {
  return result(updateStatus(context, operation));
}
