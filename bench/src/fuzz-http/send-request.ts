import { Agent, request } from 'node:http';
import type { FuzzRequest } from '#fuzz-http/generate-request';

/** Longer than the gateway's timeout for all requests except uploads. */
const TIMEOUT_MS = 150_000;
/** How long streams are read. */
const STREAM_MS = 1_000;

/** The outcome of a request: a status or an error. */
export interface Outcome {
  readonly status: number | undefined;
  /** The error code of a broken connection. */
  readonly broken: string | undefined;
  readonly text: string;
}

/** Sends requests to one server over keep-alive connections. */
export interface Sender {
  send(request: FuzzRequest): Promise<Outcome>;
  close(): void;
}

const KEPT_TEXT = 2_000;

/** Creates a sender. */
export function createSender(baseUrl: string): Sender {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  return {
    send: ({ method, path, headers, body, isStream }) =>
      new Promise((resolve) => {
        let status: number | undefined;
        let text = '';
        const end = (broken?: string) => {
          clearTimeout(timer);
          resolve({ status, broken, text });
        };
        const length = body === undefined ? {} : { 'Content-Length': String(body.length) };
        const options = { agent, hostname, port, method, path, headers: { ...headers, ...length } };
        const sent = request(options, (response) => {
          status = response.statusCode;
          response.setEncoding('utf8');
          response.on('data', (part: string) => {
            if (text.length < KEPT_TEXT) text += part.slice(0, KEPT_TEXT - text.length);
          });
          response.on('end', () => end());
          response.on('error', (error) => end(String(Reflect.get(error, 'code') ?? error.message)));
        });
        const timer = setTimeout(
          () => {
            sent.destroy();
            end(isStream ? undefined : 'TIMEOUT');
          },
          isStream ? STREAM_MS : TIMEOUT_MS,
        );
        sent.on('error', (error) => end(String(Reflect.get(error, 'code') ?? error.message)));
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
