import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { ApiResponse, Middleware } from '@qdrant/openapi-typescript-fetch';
import { Agent, type Dispatcher } from 'undici';
import { parseJson } from '#connection/parse-json';

/** A response with a status other than 2xx. Qdrant's own text is for the log only. */
export class RejectedRequest extends Error {
  override readonly name = 'RejectedRequest';
  readonly status: number;

  constructor(status: number, text: string) {
    super(`Qdrant returned ${status}: ${text.slice(0, MAX_SHOWN)}`);
    this.status = status;
  }
}

const MAX_SHOWN = 500;
/** Connections kept open; further requests wait for one. */
const MAX_CONNECTIONS = 64;

interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
}

/**
 * Creates the last step of the client's requests, in place of `fetch`, which takes more CPU time
 * than the rest of a request. It also parses responses without the client's reviver, which turns
 * integers above 2^53 into BigInt. Redirects are not followed: one would send the API key to another
 * address. Opens the first connection at the first request.
 */
export function createTransport(): Middleware {
  // Every call has one deadline for everything, so its parts need none.
  const agent = new Agent({ connections: MAX_CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 });
  return async (url, { method = 'GET', headers, body, signal }) => {
    const { origin, pathname, search } = new URL(url);
    const request = {
      origin,
      path: `${pathname}${search}`,
      method: asMethod(method),
      headers: Object.fromEntries(headers),
      body: typeof body === 'string' ? body : null,
    };
    const { status, bytes } = await exchange(agent, request, signal ?? undefined);
    if (status < 200 || status > 299) throw new RejectedRequest(status, bytes.toString('utf8'));
    const data = parseJson(bytes);
    return { headers, url, ok: true, status, statusText: '', data } satisfies ApiResponse;
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function asMethod(method: string): (typeof METHODS)[number] {
  const known = METHODS.find((name) => name === method);
  if (known === undefined) throw new Error(`The client sent a request with the method ${method}.`);
  return known;
}

/**
 * Sends a request and reads the response. Rejects with the signal's reason once it is aborted, and
 * with undici's error if the connection fails.
 */
function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let controller: Dispatcher.DispatchController | undefined;
  let status = 0;
  let encoding: string | undefined;
  const chunks: Buffer[] = [];
  const onAbort = (): void => {
    reject(signal?.reason);
    controller?.abort(signal?.reason);
  };
  const done = (): void => signal?.removeEventListener('abort', onAbort);
  signal?.addEventListener('abort', onAbort, { once: true });
  dispatcher.dispatch(request, {
    onRequestStart: (started) => {
      controller = started;
      if (signal?.aborted) started.abort(signal.reason);
    },
    onResponseStart: (_controller, code, headers) => {
      status = code;
      encoding = headers['content-encoding']?.toString();
    },
    onResponseData: (_controller, chunk) => void chunks.push(chunk),
    onResponseEnd: () => {
      done();
      try {
        resolve({
          status,
          bytes: decode(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks), encoding),
        });
      } catch (error) {
        reject(error);
      }
    },
    onResponseError: (_controller, error) => {
      done();
      reject(error);
    },
  });
  return promise;
}

const DECODERS: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ['identity', (bytes: Buffer) => bytes],
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** A proxy can compress a response although the request does not accept it. */
function decode(bytes: Buffer, encoding = 'identity'): Buffer {
  const decoder = DECODERS.get(encoding.toLowerCase());
  if (!decoder) throw new Error(`A response has the unknown encoding ${encoding}.`);
  return decoder(bytes);
}
