import { setTimeout as delay } from 'node:timers/promises';
import type { Credentials } from '#credentials';
import { parseEvents, type SseEvent } from './parse-events.ts';

const REQUEST_TIMEOUT_MS = 120_000;
const JOB_TIMEOUT_MS = 600_000;
const ACTIVE = ['queued', 'running'];

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of all shapes, and fail if the shape is unexpected.
export type Json = any;

/** A parsed response. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Json;
  readonly meta: Json;
  readonly error: Json;
}

/** The API, called with the secret key. */
export interface Api {
  readonly teamId: string;
  /** The same API for an end user: with `X-Service-User`. */
  as(user: string): Api;
  call(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** Like `call`, but throws unless the response is a success. Returns its data. */
  ok(method: string, path: string, body?: unknown): Promise<Json>;
  /** Returns all events of a stream. */
  stream(path: string, body: unknown): Promise<readonly SseEvent[]>;
  upload(connectorId: string, files: readonly UploadedFile[]): Promise<Json>;
  /** Polls with GET until the condition is true. Returns the data. */
  until(path: string, isDone: (data: Json) => boolean): Promise<Json>;
  /** Waits until the job has ended. */
  endOfJob(connectorId: string, jobId: string): Promise<Json>;
  /** Returns all rows of a paginated list. */
  all(path: string): Promise<Json[]>;
}

export interface UploadedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer> | string;
}

type RequestHeaders = Readonly<Record<string, string>>;

/** Creates a client for the API at the credentials' address. */
export function createApi(credentials: Credentials, headers: RequestHeaders = {}): Api {
  const authorization = `Bearer ${credentials.secretKey}`;
  return createApiWith(credentials, { authorization, ...headers });
}

/**
 * Accepts an invitation that the key creates, and returns the API for the session of the new person.
 */
export async function joinAs(credentials: Credentials, email: string, role: string): Promise<Api> {
  const { url } = await createApi(credentials).ok('POST', '/api/v1/invitations', { email, role });
  const own = { 'X-Lectern-CSRF': '1' };
  const response = await fetch(`${credentials.baseUrl}/api/v1/account-links/use`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...own },
    body: JSON.stringify({ token: url.split('#')[1], name: email, password: 'a long enough sentence' }),
  });
  if (!response.ok) throw new Error(`use a link: ${response.status} ${await response.text()}`);
  const [cookie = ''] = response.headers.get('set-cookie')?.split(';') ?? [];
  return createApiWith(credentials, { cookie, ...own });
}

function createApiWith(credentials: Credentials, headers: RequestHeaders): Api {
  const { baseUrl, teamId } = credentials;
  const request = (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${baseUrl}${path}`, {
      method,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ...init,
      headers: { ...headers, ...init.headers },
    });
  const json = (body: unknown): RequestInit =>
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };

  async function parse(response: Response): Promise<ApiResponse> {
    const { data, meta, error } = (await response.json()) as Json;
    return { status: response.status, headers: response.headers, data, meta, error };
  }

  async function successful(what: string, response: Response): Promise<ApiResponse> {
    const parsed = await parse(response);
    if (response.ok) return parsed;
    throw new Error(`${what}: ${parsed.status} ${JSON.stringify(parsed.error)}`);
  }

  const api: Api = {
    teamId,
    as: (user) => createApiWith(credentials, { ...headers, 'x-service-user': user }),
    call: async (method, path, body) => parse(await request(method, path, json(body))),
    ok: async (method, path, body) =>
      (await successful(`${method} ${path}`, await request(method, path, json(body)))).data,
    stream: async (path, body) => {
      const response = await request('POST', path, json(body));
      if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
      return parseEvents(await response.text());
    },
    upload: async (connectorId, files) => {
      const form = new FormData();
      for (const { name, bytes } of files) form.append('files', new Blob([bytes]), name);
      const path = `/api/v1/connectors/${connectorId}/files/upload`;
      return (await successful(`POST ${path}`, await request('POST', path, { body: form }))).data;
    },
    until: async (path, isDone) => {
      for (const started = Date.now(); Date.now() - started < JOB_TIMEOUT_MS; await delay(250)) {
        // During a crash there can be a 503 or no response.
        const data = await api.ok('GET', path).catch(() => undefined);
        if (data && isDone(data)) return data;
      }
      throw new Error(`Gave up on ${path}: ${JSON.stringify(await api.ok('GET', path))}`);
    },
    endOfJob: (connectorId, jobId) =>
      api.until(`/api/v1/connectors/${connectorId}/sync/${jobId}`, ({ status }) => !ACTIVE.includes(status)),
    all: async (path) => {
      const rows: Json[] = [];
      for (let page = 1; ; page += 1) {
        const parsed = await successful(
          path,
          await request('GET', `${path}${path.includes('?') ? '&' : '?'}page=${page}&limit=100`),
        );
        rows.push(...parsed.data);
        if (!parsed.meta.hasMore) return rows;
      }
    },
  };
  return api;
}
