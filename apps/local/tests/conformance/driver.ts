import { checkerOf, type DocumentChecker, unknownFields } from '@lectern/testing';
import type { Json } from '../support/api.ts';
import { parseEvents, type SseEvent } from '../support/parse-events.ts';
import type { Lectern } from '../support/start-lectern.ts';

const TIMEOUT_MS = 240_000;

/** A request to an operation. Path parameters are known ids unless `path` overrides them. */
export interface DriverRequest {
  readonly path?: Readonly<Record<string, string>>;
  /** Including the question mark. */
  readonly query?: string;
  readonly body?: unknown;
  readonly form?: FormData | URLSearchParams;
  /** Null sends no key. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called when the response has started. */
  readonly onBegin?: () => void;
}

/** A response that matches the document. */
export interface Driven {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Json;
  readonly events: readonly SseEvent[];
}

/** Calls a system as its OpenAPI document describes, and checks every response. */
export interface Driver {
  /** The OpenAPI document. */
  readonly document: Json;
  /** Ids by parameter: the path segment before `{id}`, or the name of the parameter. */
  readonly ids: Map<string, string>;
  /** Operations by id. */
  readonly operations: ReadonlyMap<
    string,
    { readonly method: string; readonly path: string; readonly operation: Json }
  >;
  /** Successful responses, as `operationId status`. */
  readonly succeeded: Set<string>;
  readonly rejected: Set<string>;
  /** Received events, as `operationId event`. */
  readonly events: Set<string>;
  /** The documented events of a stream, except `error`, which other tests cover. */
  eventsOf(operationId: string): readonly string[];
  /** Sends a request. Throws if the response does not match the document. */
  drive(operationId: string, request?: DriverRequest): Promise<Driven>;
}

/** Replaces the parameters of a path by ids. */
function fill(template: string, params: Readonly<Record<string, string>>, ids: ReadonlyMap<string, string>): string {
  return template.replaceAll(/([\w-]*)\/\{(\w+)\}/g, (_match, before: string, name: string) => {
    const id = params[name] ?? ids.get(name === 'id' ? before : name);
    if (id === undefined) throw new Error(`${template}: no ${name} for ${before} is known yet`);
    return `${before}/${encodeURIComponent(id)}`;
  });
}

function bodyOf({ body, form }: DriverRequest, hasBody: boolean): RequestInit {
  if (form !== undefined) return { body: form };
  if (body === undefined && !hasBody) return {};
  return { body: JSON.stringify(body ?? {}), headers: { 'Content-Type': 'application/json' } };
}

async function readText({ body }: Response, onBegin: (() => void) | undefined): Promise<string> {
  let text = '';
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    onBegin?.();
    text += piece;
  }
  return text;
}

/** Returns the differences between a response and the document. */
function problemsOf(checker: DocumentChecker, operation: Json, response: Response, text: string): readonly string[] {
  const documented = checker.answerOf(operation, response.status);
  if (documented === undefined) return [`status ${response.status} is not documented: ${text.slice(0, 300)}`];
  const headers = Object.entries<Json>(documented.headers ?? {}).flatMap(([name, header]) => {
    const known =
      header.$ref === undefined ? header : checker.document.components.headers[header.$ref.split('/').at(-1)];
    const value = response.headers.get(name);
    if (value === null) return known.required === true ? [`header ${name} is missing`] : [];
    const typed = known.schema.type === 'integer' ? Number(value) : value;
    return checker.problems(known.schema, typed).map((problem) => `header ${name}: ${problem}`);
  });
  const [mediaType, media] = Object.entries<Json>(documented.content ?? {})[0] ?? [];
  if (mediaType === undefined) return headers;
  const sent = response.headers.get('content-type') ?? '';
  if (!sent.startsWith(mediaType)) return [...headers, `${sent} where ${mediaType} is documented`];
  if (mediaType === 'application/json') return [...headers, ...valueProblems(checker, media.schema, JSON.parse(text))];
  if (mediaType === 'application/x-ndjson') {
    const lines = text.split('\n').filter((line) => line !== '');
    return [...headers, ...lines.flatMap((line) => valueProblems(checker, media.schema, JSON.parse(line)))];
  }
  if (mediaType !== 'text/event-stream') return [...headers, ...checker.problems(media.schema, text)];
  const events = parseEvents(text).map((event) => ({ ...event }));
  return [...headers, ...events.flatMap((event) => valueProblems(checker, media.schema, event))];
}

const valueProblems = (checker: DocumentChecker, schema: Json, value: Json): readonly string[] => [
  ...checker.problems(schema, value),
  ...unknownFields(checker.document, schema, value).map((field) => `${field} is not documented`),
];

/** Responses to valid keys have rate limit headers; a 429 has Retry-After. */
function requiredHeaders(operation: Json, response: Response): readonly string[] {
  const isKeyed = operation.security.length > 0 && response.status !== 401;
  const limits = isKeyed ? ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] : [];
  return ['X-Request-Id', ...limits].filter((name) => !response.headers.has(name)).map((name) => `${name} is missing`);
}

/** Reads the OpenAPI document of a system. */
export async function createDriver({ baseUrl, credentials }: Lectern): Promise<Driver> {
  const served = await fetch(`${baseUrl}/openapi.json`);
  const checker = checkerOf(await served.json());
  const operations = new Map(checker.operations().map((one) => [one.operation.operationId, one]));
  const ids = new Map([['teamId', credentials.teamId]]);
  const driver: Driver = {
    document: checker.document,
    ids,
    operations,
    succeeded: new Set(),
    rejected: new Set(),
    events: new Set(),
    eventsOf: (operationId) => {
      const media = operations.get(operationId)?.operation.responses[200]?.content?.['text/event-stream'];
      const name = media?.schema.$ref.split('/').at(-1);
      const { mapping = {} } = checker.document.components.schemas[name]?.discriminator ?? {};
      return Object.keys(mapping).filter((event) => event !== 'error');
    },
    drive: async (operationId, request = {}) => {
      const { method, path, operation } = operations.get(operationId) ?? {};
      if (method === undefined || path === undefined) throw new Error(`The document has no operation ${operationId}.`);
      const { query = '', key = credentials.secretKey } = request;
      const init = bodyOf(request, operation.requestBody !== undefined);
      const response = await fetch(`${baseUrl}${fill(path, request.path ?? {}, ids)}${query}`, {
        method: method.toUpperCase(),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...init,
        headers: {
          // Operations that set a session require it; others ignore it.
          'X-Lectern-CSRF': '1',
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
          ...init.headers,
          ...request.headers,
        },
      });
      const text = await readText(response, request.onBegin);
      const problems = [...problemsOf(checker, operation, response, text), ...requiredHeaders(operation, response)];
      if (problems.length > 0) throw new Error(`${operationId} ${response.status}:\n${problems.join('\n')}`);
      (response.status < 400 ? driver.succeeded : driver.rejected).add(`${operationId} ${response.status}`);
      const type = response.headers.get('content-type') ?? '';
      const events = type.startsWith('text/event-stream') ? parseEvents(text) : [];
      for (const { event } of events) driver.events.add(`${operationId} ${event}`);
      const data = type.startsWith('application/json') && text !== '' ? JSON.parse(text).data : undefined;
      return { status: response.status, headers: response.headers, data, events };
    },
  };
  return driver;
}
