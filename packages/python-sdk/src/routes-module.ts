import { acceptsIdempotencyKey, type OperationSpec } from '@lectern/api-spec';

const HEADER = `"""The operations of the API. Generated from the OpenAPI document."""

from __future__ import annotations

from typing import Any, Mapping

ROUTES: Mapping[str, Mapping[str, Any]] = {
`;

const literal = (value: string | boolean): string =>
  typeof value === 'string' ? JSON.stringify(value) : value ? 'True' : 'False';

/** Renders the table of all operations. */
export function renderRoutes(operations: readonly OperationSpec[]): string {
  const rows = operations.map((operation) => {
    const { id, method, path, access, stream } = operation;
    const route: Record<string, string | boolean> = {
      method: method.toUpperCase(),
      path,
      // Publishable keys can only read.
      safe: method === 'get' || access === 'publishable',
      idempotency_key: acceptsIdempotencyKey(operation),
      ...(stream === undefined
        ? {}
        : { terminal: stream.terminal, restartable: stream.restartable && method === 'get' }),
    };
    const fields = Object.entries(route).map(([name, value]) => `${JSON.stringify(name)}: ${literal(value)}`);
    return `    ${JSON.stringify(id)}: {${fields.join(', ')}},`;
  });
  return `${HEADER}${rows.join('\n')}\n}\n`;
}
