import { types } from 'node:util';
import { ConfigError } from './config.ts';
import { AppError } from './errors/app-error.ts';

const MAX_DEPTH = 5;
const MAX_ERRORS = 3;
const MAX_FRAMES = 20;

/** Words of an error that say what happened, and hold nothing that somebody wrote. */
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

/** What a caller sent may be repeated in these. */
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

/** Where an error was made. Its text stands before that, and may look like anything. */
function framesOf({ stack = '', message }: Error): string {
  const from = message === '' ? 0 : stack.indexOf(message);
  const behind = from < 0 ? '' : stack.slice(from + message.length);
  return behind
    .split('\n')
    .filter((line) => /^\s+at \S/.test(line))
    .slice(0, MAX_FRAMES)
    .join('\n');
}

/** Those of another realm, as of a worker or a sandbox, are no instances of this one's class. */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

const isOurs = (error: Error): boolean =>
  error instanceof ConfigError || (error instanceof AppError && !REPEATING.has(error.code));

/**
 * An error as the log may hold it: its class, codes, status and the place in the code. The message only of errors that Lectern itself words, for
 * those of libraries, providers, sources and databases repeat prompts, texts of documents and values of rows.
 */
export function describeError(error: unknown, depth = 0): Described {
  if (!isError(error)) return { type: typeof error };
  const { cause } = error;
  const several = error instanceof AggregateError ? error.errors.slice(0, MAX_ERRORS) : [];
  return {
    type: SHORT.test(error.name) ? error.name : 'Error',
    ...(isOurs(error) ? { message: error.message } : {}),
    ...factsOf(error),
    stack: framesOf(error),
    ...(cause === undefined || depth >= MAX_DEPTH ? {} : { cause: describeError(cause, depth + 1) }),
    ...(several.length === 0 || depth >= MAX_DEPTH
      ? {}
      : { errors: several.map((each) => describeError(each, depth + 1)) }),
  };
}
