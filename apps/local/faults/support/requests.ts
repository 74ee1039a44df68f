import type { Credentials } from '#credentials';
import { parseEvents } from '../../tests/support/parse-events.ts';

/** Milliseconds beyond a request's own deadline in which its answer must be there. */
export const GRACE_MS = 1_000;

/** What requests are made about. */
export interface Place {
  readonly credentials: Credentials;
  readonly collection: string;
  readonly agent: string;
  /** Of type `upload`: one that is uploaded to, one that is synchronised. */
  readonly uploads: string;
  readonly synced: string;
}

/** A kind of request, and the milliseconds that the gateway gives it. */
export interface Kind {
  readonly name: string;
  readonly deadlineMs: number;
  readonly make: (place: Place, tag: string) => { readonly path: string; readonly init: RequestInit };
  /** The events of which a stream ends with one; none for what answers JSON. */
  readonly terminal?: string;
}

const json = (method: string, path: string, body: object, headers: Record<string, string> = {}) => ({
  path,
  init: { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } },
});
const get = (path: string) => ({ path, init: { method: 'GET' } });

/** What a document of a scene is called. */
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

/** Requests of all kinds, to every service. */
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

/** How a request ended. */
export interface Outcome {
  readonly kind: Kind;
  readonly tag: string;
  /** Milliseconds to the end of its answer. */
  readonly tookMs: number;
  /** `ok`, the error's code, `disconnected`, or what was wrong with the answer itself (begins with `wrong:`). */
  readonly result: string;
  // biome-ignore lint/suspicious/noExplicitAny: each kind answers a shape of its own.
  readonly data: any;
}

/** Makes a request and says how it ended. Never throws. */
export async function perform(kind: Kind, place: Place, tag: string): Promise<Outcome> {
  const started = performance.now();
  const end = (result: string, data?: unknown): Outcome => ({
    kind,
    tag,
    tookMs: performance.now() - started,
    result,
    data,
  });
  try {
    const { path, init } = kind.make(place, tag);
    const response = await fetch(place.credentials.baseUrl + path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${place.credentials.secretKey}` },
      signal: AbortSignal.timeout(kind.deadlineMs + GRACE_MS),
    });
    const text = await response.text();
    if (!response.ok) return end(refusalIn(response, text));
    return kind.terminal === undefined ? end('ok', JSON.parse(text).data) : end(endOfStream(text, kind.terminal));
  } catch (error) {
    // What fetch throws where the connection is refused or broken. (Its class is not the test runner's.)
    return end(Reflect.get(Object(error), 'name') === 'TypeError' ? 'disconnected' : `wrong: ${error}`);
  }
}

/** The code of an error in the envelope. */
function refusalIn(response: Response, text: string): string {
  const { error, meta } = JSON.parse(text);
  const isWhole =
    typeof error?.code === 'string' &&
    typeof error.message === 'string' &&
    meta?.requestId === response.headers.get('x-request-id') &&
    typeof meta.timestamp === 'string';
  return isWhole ? error.code : `wrong: ${response.status} ${text.slice(0, 300)}`;
}

/** A stream ends with one terminal event, and nothing follows it. */
function endOfStream(text: string, terminal: string): string {
  const events = parseEvents(text);
  const isTerminal = ({ event }: { readonly event: string }) => event === terminal || event === 'error';
  const last = events.at(-1);
  if (events.filter(isTerminal).length !== 1 || last === undefined || !isTerminal(last)) {
    return `wrong: a stream of ${events.map(({ event }) => event).join(', ')}`;
  }
  return last.event === 'error' ? String(last.data.code) : 'ok';
}
