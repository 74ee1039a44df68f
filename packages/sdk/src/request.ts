import { routes } from './gen/routes.ts';
import { randomName } from './random-name.ts';
import type { Outgoing } from './transport.ts';
import type { CallOptions, OperationId } from './types.ts';

/** What is sent, as far as its form goes. */
export interface AnyInput {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** What is known of an operation's route. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly safe: boolean;
  readonly idempotencyKey: boolean;
  readonly terminal?: string;
  /** True where a stream that broke off can simply be asked for again. */
  readonly askAgain?: boolean;
}

/** The route of an operation. */
export const routeOf = (id: OperationId): Route => routes[id];

/** What addresses take for the folder itself or the one above, encoded or not: another operation's path. */
const STEPS: readonly unknown[] = ['.', '..'];

/** The path that a template makes with these values. Throws `TypeError` for what is no id. */
export function fillPath(template: string, values: object): string {
  return template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value: unknown = Reflect.get(values, name);
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a text that is not empty.`);
    if (STEPS.includes(value)) throw new TypeError(`${name} must be an id, which "${value}" is not.`);
    return encodeURIComponent(value);
  });
}

/** Operations that answer a whole reply. The service gives one 120 s; here a little more, so that what it says of its end is heard. */
const REPLIES: readonly OperationId[] = ['chat', 'regenerate'];
const REPLY_TIMEOUT_MS = 130_000;

function queryText(query: object): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
}

/** The request of an operation. */
export function toOutgoing(id: OperationId, input: AnyInput, options: CallOptions): Outgoing {
  const { method, path, safe, idempotencyKey } = routeOf(id);
  const { path: params = {}, query = {}, body } = input;
  const { ifMatch } = options;
  const key = options.idempotencyKey ?? (idempotencyKey ? randomName() : undefined);
  return {
    method,
    path: `${fillPath(path, Object(params))}${queryText(Object(query))}`,
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
