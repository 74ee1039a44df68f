import type { Credentials } from '#credentials';
import { parseEvents } from '../../tests/support/parse-events.ts';

/** The tolerance beyond a request's deadline, in milliseconds. */
export const GRACE_MS = 1_000;

/** The resources that requests use. */
export interface Resources {
  readonly credentials: Credentials;
  readonly collection: string;
  readonly agent: string;
  /** Upload connectors: one for uploads, one for syncs. */
  readonly uploads: string;
  readonly synced: string;
}

/** A kind of request, with its deadline in milliseconds. */
export interface Kind {
  readonly name: string;
  readonly deadlineMs: number;
  readonly make: (resources: Resources, tag: string) => { readonly path: string; readonly init: RequestInit };
  /** The terminal event of a stream. Undefined for JSON responses. */
  readonly terminal?: string;
}

const json = (method: string, path: string, body: object, headers: Record<string, string> = {}) => ({
  path,
  init: { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } },
});
const get = (path: string) => ({ path, init: { method: 'GET' } });

/** Returns the title of a document in a scenario. */
export const titleOf = (tag: string): string => `Note ${tag}`;
export const fileNameOf = (tag: string): string => `upload-${tag}.md`;

const SHORT_MS = 15_000;
const LONG_MS = 120_000;
const QUESTION = 'Who may work from home, and on which days?';

export const createDocument: Kind = {
  name: 'create a document',
  deadlineMs: LONG_MS,
  make: ({ collection }, tag) =>
    json(
      'POST',
      `/api/v1/collections/${collection}/documents`,
      { title: titleOf(tag), content: `# ${titleOf(tag)}\n\nWhat was noted on ${tag} is kept once.` },
      { 'idempotency-key': `note-${tag}` },
    ),
};

export const uploadFiles: Kind = {
  name: 'upload',
  deadlineMs: LONG_MS,
  make: ({ uploads }, tag) => {
    const form = new FormData();
    form.append('files', new Blob([`# Upload ${tag}\n\nWhat was uploaded as ${tag} is kept once.`]), fileNameOf(tag));
    return { path: `/api/v1/connectors/${uploads}/files/upload`, init: { method: 'POST', body: form } };
  },
};

/** All kinds of requests, to every service. */
export const KINDS: readonly Kind[] = [
  { name: 'search', deadlineMs: SHORT_MS, make: () => json('POST', '/api/v1/search', { query: 'work from home' }) },
  {
    name: 'faceted search',
    deadlineMs: SHORT_MS,
    make: () => json('POST', '/api/v1/search/faceted', { query: 'work', facets: ['type'] }),
  },
  {
    name: 'chat',
    deadlineMs: LONG_MS,
    make: ({ credentials }) => json('POST', `/api/v1/teams/${credentials.teamId}/chat`, { message: QUESTION }),
  },
  {
    name: 'chat stream',
    deadlineMs: LONG_MS,
    make: ({ credentials }) => json('POST', `/api/v1/teams/${credentials.teamId}/chat/stream`, { message: QUESTION }),
    terminal: 'message_end',
  },
  {
    name: 'agent run',
    deadlineMs: LONG_MS,
    make: ({ agent }) => json('POST', `/api/v1/agents/${agent}/execute/stream`, { message: QUESTION }),
    terminal: 'run_complete',
  },
  { name: 'list agents', deadlineMs: SHORT_MS, make: () => get('/api/v1/agents') },
  createDocument,
  {
    name: 'list documents',
    deadlineMs: SHORT_MS,
    make: ({ collection }) => get(`/api/v1/collections/${collection}/documents`),
  },
  { name: 'list connectors', deadlineMs: SHORT_MS, make: () => get('/api/v1/connectors') },
  {
    name: 'sync',
    deadlineMs: LONG_MS,
    make: ({ synced }) => json('POST', `/api/v1/connectors/${synced}/sync`, { sync_mode: 'full' }),
  },
  uploadFiles,
];

/** The result of a request. */
export interface Outcome {
  readonly kind: Kind;
  readonly tag: string;
  /** Milliseconds until the end of the response. */
  readonly tookMs: number;
  /** `ok`, the error code, `disconnected`, or `wrong:` with the problem of an invalid response. */
  readonly result: string;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own response.
  readonly data: any;
}

/** Sends a request and returns the result. Never throws. */
export async function perform(kind: Kind, resources: Resources, tag: string): Promise<Outcome> {
  const started = performance.now();
  const end = (result: string, data?: unknown): Outcome => ({
    kind,
    tag,
    tookMs: performance.now() - started,
    result,
    data,
  });
  try {
    const { path, init } = kind.make(resources, tag);
    const response = await fetch(resources.credentials.baseUrl + path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${resources.credentials.secretKey}` },
      signal: AbortSignal.timeout(kind.deadlineMs + GRACE_MS),
    });
    const text = await response.text();
    if (!response.ok) return end(errorCodeIn(response, text));
    return kind.terminal === undefined ? end('ok', JSON.parse(text).data) : end(resultOfStream(text, kind.terminal));
  } catch (error) {
    // fetch throws a TypeError of another realm for refused and broken connections.
    return end(Reflect.get(Object(error), 'name') === 'TypeError' ? 'disconnected' : `wrong: ${error}`);
  }
}

/** Returns the error code of an error envelope, or `wrong:` with the problem. */
function errorCodeIn(response: Response, text: string): string {
  const { error, meta } = JSON.parse(text);
  const isValid =
    typeof error?.code === 'string' &&
    typeof error.message === 'string' &&
    meta?.requestId === response.headers.get('x-request-id') &&
    typeof meta.timestamp === 'string';
  return isValid ? error.code : `wrong: ${response.status} ${text.slice(0, 300)}`;
}

/** Returns the result of a stream. It must end with exactly one terminal event. */
function resultOfStream(text: string, terminal: string): string {
  const events = parseEvents(text);
  const isTerminal = ({ event }: { readonly event: string }) => event === terminal || event === 'error';
  const last = events.at(-1);
  if (events.filter(isTerminal).length !== 1 || last === undefined || !isTerminal(last)) {
    return `wrong: a stream of ${events.map(({ event }) => event).join(', ')}`;
  }
  return last.event === 'error' ? String(last.data.code) : 'ok';
}
