import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

const TIMEOUT_MS = 60_000;

/** A status and the body's text. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends JSON to one server over keep-alive connections, with minimal overhead. */
export interface JsonClient {
  send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Answer>;
  close(): void;
}

/** Creates a client. Connects with the first request. */
export function createJsonClient(baseUrl: string, ownHeaders: Readonly<Record<string, string>> = {}): JsonClient {
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const begin = isSecure ? httpsRequest : httpRequest;
  const prefix = pathname.replace(/\/+$/, '');
  return {
    send(method, path, body) {
      const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const headers = {
        ...ownHeaders,
        ...(payload ? { 'content-type': 'application/json', 'content-length': payload.length } : {}),
      };
      const options = { agent, hostname, port, method, path: `${prefix}${path}`, headers, timeout: TIMEOUT_MS };
      return send(begin, options, payload);
    },
    close: () => agent.destroy(),
  };
}

function send(begin: typeof httpRequest, options: RequestOptions, payload: Buffer | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = begin(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error(`No response within ${TIMEOUT_MS / 1000} s`)));
    request.end(payload);
  });
}
