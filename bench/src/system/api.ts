import { Agent, request as httpRequest, type RequestOptions } from 'node:http';
import { z } from 'zod';

const TIMEOUT_MS = 60_000;
const failureSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Lectern's REST API as one user speaks to it: JSON over connections that are kept. */
export interface Api {
  readonly baseUrl: string;
  readonly secretKey: string;
  /** Rejects for every status but 2xx, with the answer's code and message. Answers with the whole body. */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  close(): void;
}

/** Makes a client. No connection is opened before the first call. */
export function createApi({ baseUrl, secretKey }: { readonly baseUrl: string; readonly secretKey: string }): Api {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(baseUrl);
  return {
    baseUrl,
    secretKey,
    async call(method, path, body) {
      const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const headers = {
        authorization: `Bearer ${secretKey}`,
        ...(payload ? { 'content-type': 'application/json', 'content-length': payload.length } : {}),
      };
      const answer = await send({ agent, hostname, port, method, path, headers, timeout: TIMEOUT_MS }, payload);
      return read(answer, `${method} ${path}`);
    },
    close: () => agent.destroy(),
  };
}

/** The body of an answer. Throws what the error in it says, for every status but 2xx. */
export function read({ status, text }: Answer, operation: string): unknown {
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (status >= 200 && status < 300) return body;
  const { data: failure } = failureSchema.safeParse(body);
  const why = failure ? `${failure.error.code}: ${failure.error.message}` : 'an answer that is no error of Lectern';
  throw new Error(`${operation} was answered ${status} ${why}`);
}

/** A status and the body's text. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

function send(options: RequestOptions, payload: Buffer | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error(`No answer within ${TIMEOUT_MS / 1000} s`)));
    request.end(payload);
  });
}
