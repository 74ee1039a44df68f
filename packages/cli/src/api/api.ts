import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Account } from '#account/account';
import { parseEvents } from '#api/parse-events';
import { exitCodeOf, notLecterns, refusalOf } from '#api/refusal';
import { CliError } from '#cli-error';
import { EXIT } from '#exit-code';
import { oneLine } from '#output/plain-text';

const REQUEST_MS = 120_000;
const TRIES = 4;
const MAX_WAIT_MS = 30_000;
const PAGE = 100;
/** Rows of a list that are read at most. */
const MAX_ROWS = 10_000;

const envelope = z.object({ data: z.unknown().optional(), meta: z.object({ hasMore: z.boolean().optional() }) });
const streamError = z.object({ code: z.string(), message: z.string(), requestId: z.string().optional() });

export interface Call {
  /** Sent as JSON, or as it is where it is a form. */
  readonly body?: object;
  /** Milliseconds; 120,000 unless another is given. */
  readonly timeoutMs?: number;
}

/** The API as this account may use it. Everything throws `CliError`. */
export interface Api {
  readonly baseUrl: string;
  call<T extends z.ZodType>(method: 'GET' | 'POST', path: string, schema: T, call?: Call): Promise<z.output<T>>;
  /** All rows of a list, 10,000 at most. */
  all<T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>[]>;
  /** The events of a stream until it ends. An `error` event is thrown. */
  events(method: 'GET' | 'POST', path: string, call?: Call): AsyncGenerator<{ event: string; data: unknown }>;
}

function unreachable(baseUrl: string, cause: unknown): CliError {
  const isLate = cause instanceof Error && cause.name === 'TimeoutError';
  const message = isLate
    ? `${baseUrl} did not answer in time.`
    : `${baseUrl} cannot be reached. Is Lectern running there?`;
  return new CliError(message, { exitCode: EXIT.unavailable, code: isLate ? 'timeout' : 'unavailable', cause });
}

function readAs<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CliError('The answer cannot be read. Does this version of the program fit the server?', {
    cause: parsed.error,
  });
}

function initOf({ body }: Call): RequestInit {
  if (body === undefined) return {};
  if (body instanceof FormData) return { body };
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

/** Milliseconds to wait before another try; undefined where none would help. A 503 may have been carried out, so only GET is repeated. */
function waitOf(method: string, response: Response, attempt: number): number | undefined {
  const isRepeatable = response.status === 429 || (method === 'GET' && response.status === 503);
  if (!isRepeatable || attempt >= TRIES) return undefined;
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : 250 * 2 ** attempt;
  return wait <= MAX_WAIT_MS ? wait : undefined;
}

/** Connects to the API; nothing is sent yet. `interrupted` breaks off whatever is under way. */
export function createApi({ baseUrl: address, secretKey }: Account, interrupted: AbortSignal): Api {
  const baseUrl = address.replace(/\/+$/, '');
  const send = async (method: string, path: string, call: Call): Promise<Response> => {
    const { headers, ...init } = initOf(call);
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(call.timeoutMs ?? REQUEST_MS)]);
    for (let attempt = 1; ; attempt += 1) {
      let response: Response;
      try {
        response = await fetch(`${baseUrl}${path}`, {
          method,
          // The key must not follow a redirect to somewhere else.
          redirect: 'error',
          signal,
          ...init,
          headers: { ...headers, Authorization: `Bearer ${secretKey}` },
        });
      } catch (error) {
        throw unreachable(baseUrl, error);
      }
      if (response.ok) return response;
      const wait = waitOf(method, response, attempt);
      if (wait === undefined) throw await refusalOf(response);
      await response.body?.cancel();
      await delay(wait, undefined, { signal });
    }
  };
  const read = async (method: string, path: string, call: Call) => {
    const response = await send(method, path, call);
    const text = await response.text().catch((error) => Promise.reject(unreachable(baseUrl, error)));
    try {
      return envelope.parse(JSON.parse(text));
    } catch (error) {
      throw notLecterns(response, error);
    }
  };
  return {
    baseUrl,
    call: async (method, path, schema, call = {}) => readAs(schema, (await read(method, path, call)).data),
    all: async (path, schema) => {
      const rows: z.output<typeof schema>[] = [];
      for (let page = 1; rows.length < MAX_ROWS; page += 1) {
        const { data, meta } = await read('GET', `${path}?page=${page}&limit=${PAGE}`, {});
        rows.push(...readAs(z.array(schema), data));
        if (meta.hasMore !== true) break;
      }
      return rows;
    },
    events: async function* (method, path, call = {}) {
      const { body } = await send(method, path, call);
      if (body === null) throw unreachable(baseUrl, undefined);
      try {
        for await (const { event, data } of parseEvents(body)) {
          const value: unknown = JSON.parse(data);
          if (event === 'error') {
            const { code, message, requestId } = readAs(streamError, value);
            throw new CliError(oneLine(message), { exitCode: exitCodeOf(code), code, requestId });
          }
          yield { event, data: value };
        }
      } catch (error) {
        throw error instanceof CliError ? error : unreachable(baseUrl, error);
      }
    },
  };
}
