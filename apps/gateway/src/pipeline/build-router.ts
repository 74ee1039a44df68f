import { Router } from 'express';
import type { Context } from '#context';
import { preflight } from '#http/cors';
import { otherMethod } from '#http/errors';
import { measure } from '#pipeline/measure';
import type { Operation } from '#pipeline/operation';
import { runOperation } from '#pipeline/run-operation';

/** `{id}` → `:id`. */
const expressPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');

// `{` sorts after letters, so `/connectors/test` is matched before `/connectors/{id}`.
const literalsFirst = (a: string, b: string) => (a < b ? -1 : 1);

function methodsOf(operations: readonly Operation[]): string {
  const methods = operations.map(({ method }) => method.toUpperCase());
  if (methods.includes('GET')) methods.push('HEAD');
  return [...methods, 'OPTIONS'].join(', ');
}

/**
 * Creates the router of the operations: each path with its methods, its preflight, and 405 for
 * other methods.
 */
export function buildRouter(ctx: Context, operations: readonly Operation[]): Router {
  // Strict: a client that normalizes `/agents/x/memories/..` to `/agents/x/` must not delete the
  // agent.
  const router = Router({ caseSensitive: true, strict: true });
  const byPath = Map.groupBy(operations, ({ path }) => path);
  for (const path of [...byPath.keys()].sort(literalsFirst)) {
    const atPath = byPath.get(path) ?? [];
    const allowed = methodsOf(atPath);
    const route = router.route(expressPath(path));
    for (const operation of atPath) route[operation.method](measure(operation), runOperation(ctx, operation));
    route.options(preflight(allowed));
    route.all(otherMethod(allowed));
  }
  return router;
}
