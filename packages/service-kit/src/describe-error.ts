import { types } from 'node:util';
import { ConfigError } from '#config';
import { AppError } from '#errors/app-error';

const MAX_DEPTH = 5;
const MAX_ERRORS = 3;
const MAX_FRAMES = 20;

/** Fields of an error that describe what happened and contain no user data. */
const FACTS = [
  'code',
  'kind',
  'errno',
  'syscall',
  'address',
  'port',
  'hostname',
  'requestId',
  'request_id',
  'severity',
] as const;
const STATUS = ['status', 'statusCode', '$metadata.httpStatusCode'] as const;
const SHORT = /^[\w.:/-]{1,100}$/;

/** These fields may repeat what a caller sent. */
const REPEATING: ReadonlySet<string> = new Set(['invalid_request', 'query_error']);

type Described = Readonly<Record<string, unknown>>;

function at(error: object, path: string): unknown {
  let value: unknown = error;
  for (const name of path.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return value;
}

function factsOf(error: object): Described {
  const facts: Record<string, unknown> = {};
  for (const name of FACTS) {
    const value = at(error, name);
    if (typeof value === 'number' || (typeof value === 'string' && SHORT.test(value))) facts[name] = value;
  }
  const status = STATUS.map((path) => at(error, path)).find((value) => typeof value === 'number');
  return status === undefined ? facts : { ...facts, status };
}

/** Returns the stack frames without the message before them. */
function framesOf({ stack = '', message }: Error): string {
  const from = message === '' ? 0 : stack.indexOf(message);
  const behind = from < 0 ? '' : stack.slice(from + message.length);
  return behind
    .split('\n')
    .filter((line) => /^\s+at \S/.test(line))
    .slice(0, MAX_FRAMES)
    .join('\n');
}

/**
 * Errors from another realm, for example a worker or a sandbox, are not instances of this realm's
 * class.
 */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

const isLecternError = (error: Error): boolean =>
  error instanceof ConfigError || (error instanceof AppError && !REPEATING.has(error.code));

/**
 * Describes an error for the log: its class, codes, status and code location. Includes the message
 * only for Lectern's own errors; messages of libraries, providers, sources and
 * databases may repeat prompts, document text and row values.
 */
export function describeError(error: unknown, depth = 0): Described {
  if (!isError(error)) return { type: typeof error };
  const { cause } = error;
  const several = error instanceof AggregateError ? error.errors.slice(0, MAX_ERRORS) : [];
  return {
    type: SHORT.test(error.name) ? error.name : 'Error',
    ...(isLecternError(error) ? { message: error.message } : {}),
    ...factsOf(error),
    stack: framesOf(error),
    ...(cause === undefined || depth >= MAX_DEPTH ? {} : { cause: describeError(cause, depth + 1) }),
    ...(several.length === 0 || depth >= MAX_DEPTH
      ? {}
      : { errors: several.map((each) => describeError(each, depth + 1)) }),
  };
}
