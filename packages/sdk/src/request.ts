import { routes } from './gen/routes.ts';
import { randomId } from './random-id.ts';
import type { Outgoing } from './transport.ts';
import type { CallOptions, OperationId } from './types.ts';

/** The input of an operation without its types. */
export interface AnyInput {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  /** True if the operation changes nothing. */
  readonly safe: boolean;
  readonly idempotencyKey: boolean;
  /** The last event of a complete stream. */
  readonly terminal?: string;
  /** True if a broken stream can be requested again from the start. */
  readonly restartable?: boolean;
}

export const routeOf = (id: OperationId): Route => routes[id];

/** Path segments that URL parsers resolve, even if encoded. They would call a different operation. */
const DOT_SEGMENTS: readonly unknown[] = ['.', '..'];

/** Fills a path template. Throws `TypeError` for an invalid id. */
export function fillPath(template: string, values: object): string {
  return template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value: unknown = Reflect.get(values, name);
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a non-empty string.`);
    if (DOT_SEGMENTS.includes(value)) throw new TypeError(`${name} must be an id, but it is "${value}".`);
    return encodeURIComponent(value);
  });
}

/** Operations that return a complete chat reply. The server limits them to 120 s, and the client waits longer. */
const REPLIES: readonly OperationId[] = ['chat', 'regenerate'];
const REPLY_TIMEOUT_MS = 130_000;

function toQueryString(query: object): string {
  const entries = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(entries).toString();
  return text === '' ? '' : `?${text}`;
}

/** Creates the request of an operation. */
export function toOutgoing(id: OperationId, input: AnyInput, options: CallOptions): Outgoing {
  const { method, path, safe, idempotencyKey } = routeOf(id);
  const { path: params = {}, query = {}, body } = input;
  const { ifMatch } = options;
  const key = options.idempotencyKey ?? (idempotencyKey ? randomId() : undefined);
  return {
    method,
    path: `${fillPath(path, Object(params))}${toQueryString(Object(query))}`,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
      ...(idempotencyKey && key !== undefined ? { 'Idempotency-Key': key } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(REPLIES.includes(id) ? { timeoutMs: REPLY_TIMEOUT_MS } : {}),
    // If the response to the first attempt was lost, that attempt may have changed the record. A
    // retry would then fail with `precondition_failed`.
    repeatable: safe || (method !== 'POST' && ifMatch === undefined) || idempotencyKey,
  };
}
