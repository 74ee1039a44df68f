import { type Dispatcher, Pool } from 'undici';

/** Addresses and credentials of one server; the paths of requests begin at `prefix`. */
export interface Endpoint {
  readonly origin: string;
  /** Without a slash at its end; empty at the root. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object | undefined;
}

/** What ends a request before its answer. */
export interface Limits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A status other than 2xx. The server's own words are for the log alone. */
export class RefusedRequest extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`Qdrant answered ${status}: ${text.slice(0, MAX_SHOWN)}`);
    this.name = 'RefusedRequest';
    this.status = status;
  }
}

/** The time that a request was given is over. */
export class TimedOut extends Error {
  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms`);
    this.name = 'TimedOut';
  }
}

const MAX_SHOWN = 500;
/** Connections kept at the same time; further requests wait for one. */
const CONNECTIONS = 64;

/** Sends one request and resolves with the text of its answer. */
export type Send = (request: HttpRequest, limits: Limits) => Promise<string>;

/**
 * Makes the client of one server, over connections that are kept; the first is opened by the first request. Rejects with `RefusedRequest`, `TimedOut`, or
 * the fault of the connection; once its signal is aborted, with any error. It is by far the most frequent call of a search, so it does no more than that.
 */
export function createSend({ origin, prefix, headers }: Endpoint): Send {
  // The deadline is ours: the whole of a request has one, not its parts.
  const pool = new Pool(origin, { connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 });
  const jsonHeaders = { ...headers, 'content-type': 'application/json' };
  return ({ method, path, body }, { timeoutMs, signal }) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      let controller: Dispatcher.DispatchController | undefined;
      let endedBy: Error | undefined;
      const chunks: Buffer[] = [];
      let status = 0;

      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const end = (reason: Error): void => {
        endedBy = reason;
        settle();
        reject(reason);
        controller?.abort(reason);
      };
      const onAbort = (): void => end(new Error('The caller has left', { cause: signal?.reason }));
      const timer = setTimeout(() => end(new TimedOut(timeoutMs)), timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });

      const content =
        body === undefined ? { headers, body: null } : { headers: jsonHeaders, body: JSON.stringify(body) };
      pool.dispatch(
        { method, path: prefix + path, ...content },
        {
          onRequestStart: (started) => {
            controller = started;
            // It had to wait for a connection, and longer than its caller did.
            if (endedBy) started.abort(endedBy);
          },
          onResponseStart: (_controller, statusCode) => {
            status = statusCode;
          },
          onResponseData: (_controller, chunk) => {
            chunks.push(chunk);
          },
          onResponseEnd: () => {
            settle();
            const text = Buffer.concat(chunks).toString('utf8');
            if (status >= 200 && status < 300) resolve(text);
            else reject(new RefusedRequest(status, text));
          },
          onResponseError: (_controller, error) => {
            settle();
            reject(error);
          },
        },
      );
    });
}
