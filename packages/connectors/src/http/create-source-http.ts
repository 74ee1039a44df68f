import type { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { createDeadline, type Deadline } from '#http/deadline';
import { networkError } from '#http/network-error';
import { quickRetry } from '#http/quick-retry';
import { readBody, readText } from '#http/read-body';
import type { SourceHttp, SourceHttpOptions, SourceRequest } from '#http/source-http';
import { statusError } from '#http/status-error';
import { withoutNulls } from '#http/without-nulls';
import { SourceError } from '#source-error';

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_JSON_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

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

/** Creates a `SourceHttp`. */
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
    const { status, headers } = response;
    return (
      options.errorOf?.({ status, headers, body }) ?? statusError(platform, response, request.what ?? 'this resource')
    );
  };

  const failOn = async ({ response, deadline }: Received, request: SourceRequest): Promise<void> => {
    if (response.ok) return;
    const body = readBody(response, deadline, platform);
    // If the body is interrupted, report that: without the body, the status can be misleading.
    const text = await readText(body, { maxBytes: MAX_ERROR_BYTES, cut: true, platform });
    throw errorOf(response, parseJson(text) ?? text, request);
  };

  /**
   * Sends a request with quick retries. If the authorization is rejected, retries once with a new
   * one.
   */
  const attempt = <T>(
    call: ConnectorCall,
    request: SourceRequest,
    read: (received: Received) => Promise<T>,
  ): Promise<T> => {
    let renewed = false;
    const once = async (renew: boolean): Promise<T> => {
      const received = await send(call, request, renew);
      await failOn(received, request);
      return read(received);
    };
    return quickRetry(call.signal, async () => {
      try {
        return await once(false);
      } catch (error) {
        const rejected = error instanceof SourceError && error.kind === 'auth' && options.authorize !== undefined;
        if (!rejected || renewed) throw error;
        renewed = true;
        call.signal.throwIfAborted();
        return once(true);
      }
    });
  };

  const readJson = async <T>({ response, deadline }: Received, schema: z.ZodType<T>) => {
    const body = readBody(response, deadline, platform);
    const text = await readText(body, { maxBytes: MAX_JSON_BYTES, cut: false, platform });
    const parsed = text === '' ? undefined : parseJson(text);
    const platformError = options.errorOf?.({
      status: response.status,
      headers: response.headers,
      body: parsed ?? text,
    });
    if (platformError !== undefined) throw platformError;
    if (text !== '' && parsed === undefined) {
      throw new SourceError('transient', `${platform} returned a response that is not JSON.`);
    }
    const asGiven = schema.safeParse(parsed, { reportInput: false });
    const checked = asGiven.success ? asGiven : schema.safeParse(withoutNulls(parsed), { reportInput: false });
    if (checked.success) return { value: checked.data, headers: response.headers };
    const issue = checked.error.issues[0];
    const where = issue === undefined ? '' : ` at "${issue.path.join('.')}": ${issue.message}`;
    throw new SourceError('invalid', `${platform} returned a response in an unexpected format${where}.`);
  };

  return {
    json: (call, request, schema) => attempt(call, request, (received) => readJson(received, schema)),
    download: (call, request) =>
      attempt(call, request, async ({ response, deadline }) => {
        const platformError = options.errorOf?.({
          status: response.status,
          headers: response.headers,
          body: undefined,
        });
        if (platformError !== undefined) {
          deadline.end();
          await response.body?.cancel();
          throw platformError;
        }
        // The deadline stays armed, so that an unread body is released.
        return { value: readBody(response, deadline, platform), headers: response.headers };
      }),
  };
}
