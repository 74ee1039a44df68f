import { z } from 'zod';
import { type Answer, createJsonClient } from '#system/json-client';

const failureSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** A client of Lectern's REST API: JSON over keep-alive connections. */
export interface Api {
  readonly baseUrl: string;
  readonly secretKey: string;
  /**
   * Returns the body. Rejects for every status but 2xx, with the code and message of the response.
   */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  close(): void;
}

/** Creates a client. Connects with the first call. */
export function createApi({ baseUrl, secretKey }: { readonly baseUrl: string; readonly secretKey: string }): Api {
  const client = createJsonClient(baseUrl, { authorization: `Bearer ${secretKey}` });
  return {
    baseUrl,
    secretKey,
    call: async (method, path, body) => read(await client.send(method, path, body), `${method} ${path}`),
    close: client.close,
  };
}

/** Returns the body of a response. Throws its error for every status but 2xx. */
export function read({ status, text }: Answer, operation: string): unknown {
  const isJson = /^\s*[[{]/.test(text);
  const body: unknown = isJson ? JSON.parse(text) : undefined;
  if (status >= 200 && status < 300) return body;
  const { data: failure } = failureSchema.safeParse(body);
  const why = failure ? `${failure.error.code}: ${failure.error.message}` : 'without an error of Lectern';
  throw new Error(`${operation} returned ${status} ${why}`);
}
