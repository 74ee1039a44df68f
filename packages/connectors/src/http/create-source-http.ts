import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import type { ConnectorCall } from '../connector.ts';
import { SourceError } from '../source-error.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { networkError } from './network-error.ts';
import { readBody, readText } from './read-body.ts';
import type { SourceHttp, SourceHttpOptions, SourceRequest } from './source-http.ts';
import { statusError } from './status-error.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_JSON_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_ATTEMPTS = 4;
const BACKOFF_MS = 150;
const LONGEST_WAIT_MS = 2_000;

interface Received {
  readonly response: Response;
  readonly deadline: Deadline;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Milliseconds to wait before the given attempt is made again, or undefined where a second does not mend it. */
function waitBeforeRetry(error: SourceError, attempt: number): number | undefined {
  if (!error.retryable || attempt >= MAX_ATTEMPTS) return undefined;
  if (error.kind === 'transient') return BACKOFF_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  const untilMs = (error.retryAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now();
  return untilMs > LONGEST_WAIT_MS ? undefined : Math.max(untilMs, 0);
}

function init(request: SourceRequest, authorization: Readonly<Record<string, string>>): RequestInit {
  const { body } = request;
  const form = body instanceof URLSearchParams;
  const type = form ? 'application/x-www-form-urlencoded;charset=UTF-8' : 'application/json';
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'Lectern' });
  if (body !== undefined) headers.set('content-type', type);
  for (const [name, value] of Object.entries({ ...request.headers, ...authorization })) headers.set(name, value);
  return {
    method: request.method ?? 'GET',
    headers,
    ...(body === undefined ? {} : { body: form ? body.toString() : JSON.stringify(body) }),
  };
}

/** Requests to a platform, as `SourceHttp` describes. */
export function createSourceHttp(options: SourceHttpOptions): SourceHttp {
  const { platform, timeoutMs = DEFAULT_TIMEOUT_MS } = options;

  const send = async (call: ConnectorCall, request: SourceRequest, renew: boolean): Promise<Received> => {
    const authorization = (await options.authorize?.(call, renew)) ?? {};
    const deadline = createDeadline(call.signal, timeoutMs, platform);
    try {
      const sent = { ...init(request, authorization), signal: deadline.signal };
      return { response: await options.fetch(request.url, sent), deadline };
    } catch (error) {
      deadline.end();
      throw deadline.signal.aborted ? deadline.signal.reason : networkError(platform, error);
    }
  };

  const errorOf = (response: Response, body: unknown, request: SourceRequest): SourceError | undefined => {
    const answer = { status: response.status, headers: response.headers, body };
    return options.errorOf?.(answer) ?? statusError(platform, answer, request.what ?? 'what was asked for');
  };

  const failOn = async ({ response, deadline }: Received, request: SourceRequest): Promise<void> => {
    if (response.ok) return;
    const body = readBody(response, deadline, platform);
    const text = await readText(body, { maxBytes: MAX_ERROR_BYTES, cut: true, platform }).catch(() => '');
    throw errorOf(response, parseJson(text) ?? text, request);
  };

  /** Tries until it goes well, cannot, or would take longer than a quick retry may. */
  const attempt = async <T>(
    call: ConnectorCall,
    request: SourceRequest,
    read: (received: Received) => Promise<T>,
  ): Promise<T> => {
    let renewed = false;
    let renewing = false;
    for (let number = 1; ; ) {
      call.signal.throwIfAborted();
      try {
        const received = await send(call, request, renewing);
        await failOn(received, request);
        return await read(received);
      } catch (error) {
        call.signal.throwIfAborted();
        if (!(error instanceof SourceError)) throw error;
        if (error.kind === 'auth' && options.authorize !== undefined && !renewed) {
          renewed = true;
          renewing = true;
          continue;
        }
        renewing = false;
        const waitMs = waitBeforeRetry(error, number);
        if (waitMs === undefined) throw error;
        await wait(waitMs, undefined, { signal: call.signal }).catch(() => call.signal.throwIfAborted());
        number += 1;
      }
    }
  };

  const readJson = async <T>({ response, deadline }: Received, schema: z.ZodType<T>) => {
    const body = readBody(response, deadline, platform);
    const text = await readText(body, { maxBytes: MAX_JSON_BYTES, cut: false, platform });
    const parsed = text === '' ? undefined : parseJson(text);
    const own = options.errorOf?.({ status: response.status, headers: response.headers, body: parsed ?? text });
    if (own !== undefined) throw own;
    if (text !== '' && parsed === undefined) {
      throw new SourceError('transient', `${platform} answered with something that is not JSON.`);
    }
    const checked = schema.safeParse(parsed, { reportInput: false });
    if (checked.success) return { value: checked.data, headers: response.headers };
    const issue = checked.error.issues[0];
    const where = issue === undefined ? '' : ` at "${issue.path.join('.')}": ${issue.message}`;
    throw new SourceError('invalid', `${platform} answered in an unknown form${where}.`);
  };

  return {
    json: (call, request, schema) => attempt(call, request, (received) => readJson(received, schema)),
    download: (call, request) =>
      attempt(call, request, async ({ response, deadline }) => {
        const own = options.errorOf?.({ status: response.status, headers: response.headers, body: undefined });
        if (own !== undefined) {
          deadline.end();
          await response.body?.cancel();
          throw own;
        }
        // Still armed: a body that nobody begins to read is let go.
        return { value: readBody(response, deadline, platform), headers: response.headers };
      }),
  };
}
