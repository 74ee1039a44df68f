import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import { type Entries, entriesOf } from '#http/entries';
import { orNull } from '#http/or-null';
import { quickRetry } from '#http/quick-retry';
import type { SourceHttp } from '#http/source-http';
import { statusError } from '#http/status-error';
import { withoutNulls } from '#http/without-nulls';
import { CLOUDS, type CloudName } from '#microsoft-365/clouds';
import { createGraphErrorReader } from '#microsoft-365/read-error';
import { type AppCredentials, createSession } from '#microsoft-365/session';
import { SourceError } from '#source-error';

const PLATFORM = 'Microsoft 365';
/** Microsoft Graph accepts this many requests in one. https://learn.microsoft.com/en-us/graph/json-batching */
export const BATCH_SIZE = 20;
/** The maximum number of pages of one list. */
const MAX_PAGES = 10_000;

export interface GraphRequest {
  /** Relative to the version of the API; its parts are encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of the requested resource in messages. */
  readonly what: string;
  /** What the application needs for this request, in the message of a refusal. */
  readonly permission?: string;
}

/** The result of one request in a batch. */
export type BatchResult<T> = { readonly value: T } | { readonly error: SourceError };

export interface GraphHttp {
  get<T>(call: ConnectorCall, request: GraphRequest, schema: z.ZodType<T>): Promise<T>;
  /** Requests a link from a response. It is opaque, but must lead to Microsoft Graph. */
  follow<T>(call: ConnectorCall, link: string, from: Omit<GraphRequest, 'path'>, schema: z.ZodType<T>): Promise<T>;
  /** Yields a list page by page. */
  pages<T>(call: ConnectorCall, request: GraphRequest, entry: z.ZodType<T>): AsyncGenerator<Entries<T>, void, void>;
  /** Yields the rest of a list, of which the first page was read. */
  rest<T>(
    call: ConnectorCall,
    link: string | undefined,
    from: Omit<GraphRequest, 'path'>,
    entry: z.ZodType<T>,
  ): AsyncGenerator<Entries<T>, void, void>;
  /**
   * Sends up to 20 requests in one. Errors that a retry can fix, and a rejected token, are thrown;
   * other errors are the result of their request.
   */
  batch<T>(
    call: ConnectorCall,
    requests: readonly GraphRequest[],
    schema: z.ZodType<T>,
  ): Promise<readonly BatchResult<T>[]>;
  /** Requests content with the token. */
  download(call: ConnectorCall, request: GraphRequest): ReturnType<SourceHttp['download']>;
  /** Requests a preauthenticated address, without the token. */
  readonly content: SourceHttp;
  /** True if an address of content may be requested. */
  isContentUrl(url: string): boolean;
}

/** Names the permission that the application lacks. */
function withPermission(error: unknown, { what, permission }: Omit<GraphRequest, 'path'>): unknown {
  if (permission === undefined || !(error instanceof SourceError) || error.kind !== 'forbidden') return error;
  const message = `Microsoft 365 denies the application access to ${what}. ${permission}`;
  return new SourceError('forbidden', message, { cause: error });
}

/** When to retry. */
const WAIT_HEADERS: ReadonlySet<string> = new Set(['retry-after', 'ratelimit-reset']);

const Responses = z.object({
  responses: entriesOf(
    z.object({
      id: z.string(),
      status: z.int(),
      headers: z.record(z.string(), z.unknown()).nullish().catch(undefined),
      body: z.unknown().optional(),
    }),
  ),
});

export const pageOf = <T>(entry: z.ZodType<T>) =>
  z.object({ value: entriesOf(entry), '@odata.nextLink': z.string().optional() });

export interface GraphSettings {
  readonly cloud: CloudName;
  /** The origin of a server that serves both Entra ID and Microsoft Graph. */
  readonly endpoint: string | undefined;
  readonly credentials: AppCredentials;
}

/** Creates the requests to Microsoft Graph v1.0. */
export function createGraphHttp(settings: GraphSettings, host: Pick<ConnectorHost, 'egress'>): GraphHttp {
  const cloud = CLOUDS[settings.cloud];
  const endpoint = settings.endpoint === undefined ? undefined : new URL(settings.endpoint).origin;
  const base = new URL(`${endpoint ?? cloud.graph}/v1.0`);
  const session = createSession(settings.credentials, { login: endpoint ?? cloud.login, scope: cloud.graph }, host);
  const errorOf = createGraphErrorReader();
  const { fetch } = host.egress;
  const http = createSourceHttp({ platform: PLATFORM, fetch, authorize: session.authorize, errorOf });
  const content = createSourceHttp({ platform: PLATFORM, fetch });

  const json = async <T>(
    call: ConnectorCall,
    url: string | URL,
    from: Omit<GraphRequest, 'path'>,
    schema: z.ZodType<T>,
  ): Promise<T> => {
    const { what, headers = {} } = from;
    try {
      return (await http.json({ ...call }, { url, what, headers }, schema)).value;
    } catch (error) {
      throw withPermission(error, from);
    }
  };

  const get: GraphHttp['get'] = (call, request, schema) => json(call, `${base}${request.path}`, request, schema);

  const follow: GraphHttp['follow'] = async (call, link, from, schema) => {
    const url = URL.parse(link);
    if (url === null || url.origin !== base.origin || !url.pathname.startsWith(`${base.pathname}/`)) {
      throw new SourceError('invalid', 'Microsoft 365 returned the address of a page on another server.');
    }
    return json(call, url, from, schema);
  };

  async function* rest<T>(
    call: ConnectorCall,
    first: string | undefined,
    from: Omit<GraphRequest, 'path'>,
    entry: z.ZodType<T>,
  ): AsyncGenerator<Entries<T>, void, void> {
    let link = first;
    for (let pages = 1; link !== undefined; pages += 1) {
      if (pages > MAX_PAGES) throw new SourceError('invalid', `${PLATFORM} returned too many pages of ${from.what}.`);
      const page: z.infer<ReturnType<typeof pageOf<T>>> = await follow(call, link, from, pageOf(entry));
      yield page.value;
      link = page['@odata.nextLink'];
    }
  }

  /** Sends the requests of a batch one by one, to a server without batches. */
  const single = async <T>(
    call: ConnectorCall,
    request: GraphRequest,
    schema: z.ZodType<T>,
  ): Promise<BatchResult<T>> => {
    try {
      return { value: await get(call, request, schema) };
    } catch (error) {
      if (!(error instanceof SourceError) || error.retryable || error.kind === 'auth') throw error;
      return { error };
    }
  };
  let hasBatches = true;

  return {
    get,
    follow,
    rest,
    async *pages(call, request, entry) {
      const page = await get(call, request, pageOf(entry));
      yield page.value;
      yield* rest(call, page['@odata.nextLink'], request, entry);
    },
    batch: async <T>(call: ConnectorCall, requests: readonly GraphRequest[], schema: z.ZodType<T>) => {
      const sendSingly = async () => {
        const results: BatchResult<T>[] = [];
        for (const request of requests) results.push(await single(call, request, schema));
        return results;
      };
      if (!hasBatches) return sendSingly();
      const body = {
        requests: requests.map(({ path, headers }, at) => ({
          ...{ id: String(at + 1), method: 'GET', url: path },
          ...(headers === undefined ? {} : { headers }),
        })),
      };
      const url = `${base}/$batch`;
      const what = requests[0]?.what ?? 'several requests';
      const send = (own: ConnectorCall) => http.json(own, { url, method: 'POST', body, what }, Responses);
      const read = ({ value }: Awaited<ReturnType<typeof send>>) => {
        const responses = new Map(value.responses.items.map((response) => [response.id, response]));
        return requests.map((request, at) => readResponse(request, responses.get(String(at + 1)), schema, errorOf));
      };
      let isRenewed = false;
      const results = await quickRetry(call.signal, async () => {
        const own = { ...call };
        const sent = await orNull(send(own));
        if (sent === null) return undefined;
        try {
          return read(sent);
        } catch (error) {
          const isRejected = error instanceof SourceError && error.kind === 'auth';
          if (!isRejected || isRenewed) throw error;
          isRenewed = true;
          await session.authorize(own, true);
          return read(await send({ ...call }));
        }
      });
      if (results !== undefined) return results;
      hasBatches = false;
      return sendSingly();
    },
    download: async (call, request) => {
      const { path, what, headers = {} } = request;
      try {
        return await http.download(
          { ...call },
          { url: `${base}${path}`, what, headers: { accept: '*/*', ...headers } },
        );
      } catch (error) {
        throw withPermission(error, request);
      }
    },
    content,
    isContentUrl: (text) => {
      const url = URL.parse(text);
      return url !== null && (url.protocol === 'https:' || url.protocol === base.protocol);
    },
  };
}

/** The headers of a response in a batch that matter. The names and values of others can be invalid. */
function headersOf(raw: Readonly<Record<string, unknown>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    if (!WAIT_HEADERS.has(name.toLowerCase())) continue;
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && /^[ -~]*$/.test(text)) headers.set(name, text);
  }
  return headers;
}

/**
 * Reads a response in a batch. Throws errors that a retry can fix, and those of the token: they are
 * not about the requested resource.
 */
function readResponse<T>(
  request: GraphRequest,
  response: z.infer<typeof Responses>['responses']['items'][number] | undefined,
  schema: z.ZodType<T>,
  errorOf: ReturnType<typeof createGraphErrorReader>,
): BatchResult<T> {
  const { what } = request;
  const unexpected = `${PLATFORM} returned a response in an unexpected format for ${what}.`;
  if (response === undefined) return { error: new SourceError('invalid', unexpected) };
  const { status, body } = response;
  const headers = headersOf(response.headers ?? {});
  const error = errorOf({ status, headers, body }) ?? statusError(PLATFORM, { status, headers }, what);
  if (error?.retryable === true || error?.kind === 'auth') throw error;
  if (error !== undefined) {
    const named = withPermission(error, request);
    return { error: named instanceof SourceError ? named : error };
  }
  const asGiven = schema.safeParse(body, { reportInput: false });
  const parsed = asGiven.success ? asGiven : schema.safeParse(withoutNulls(body), { reportInput: false });
  return parsed.success ? { value: parsed.data } : { error: new SourceError('invalid', unexpected) };
}
