import { AppError } from '@lectern/service-kit';

/** The default hub. */
const HUGGING_FACE = 'https://huggingface.co';

const MAX_REDIRECTS = 5;
/** The limit for the headers of a response. */
const HEADERS_MS = 30_000;
const COMMIT = /^[0-9a-f]{40}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** What a file's bytes must hash to: large files have a SHA-256, others their Git object id. */
type Checksum = { readonly kind: 'sha256' | 'git'; readonly value: string };

/** A file of a model in the hub. */
export interface HubFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly checksum: Checksum;
  /** The commit that the requested revision is. */
  readonly commit: string;
}

/** Reads files of a hub in the form of huggingface.co: `NAME/resolve/REVISION/PATH`. */
export interface HubClient {
  /** Returns a file's size and checksum; undefined if it does not exist. */
  find(name: string, revision: string, path: string, signal?: AbortSignal): Promise<HubFile | undefined>;
  /** Requests a file from a byte on. The server can ignore that and send all of it (200). */
  open(name: string, file: HubFile, fromByte: number, signal: AbortSignal): Promise<Response>;
}

/** Creates a client. `fetch` uses the proxy of the environment if NODE_USE_ENV_PROXY is set. */
export function createHubClient(hubUrl: string = HUGGING_FACE): HubClient {
  const base = hubUrl.replace(/\/+$/, '');
  const urlOf = (name: string, revision: string, path: string) =>
    `${base}/${name}/resolve/${encodeURIComponent(revision)}/${path}`;

  return {
    async find(name, revision, path, signal) {
      const url = urlOf(name, revision, path);
      let from = url;
      let linked: Headers | undefined;
      for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
        const response = await request(from, { method: 'HEAD' }, signal);
        if (response.status === 404) return undefined;
        linked ??= response.headers;
        const next = redirectOf(response, from);
        // Large files are on another server, which does not know the commit.
        if (next !== undefined && new URL(next).origin === new URL(from).origin) {
          from = next;
          continue;
        }
        if (!response.ok && next === undefined) throw failed(url, `HTTP ${response.status}`);
        return describe(url, path, [response.headers, linked]);
      }
      throw failed(url, 'too many redirects');
    },

    async open(name, file, fromByte, signal) {
      let from = urlOf(name, file.commit, file.path);
      for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
        const headers: Record<string, string> = fromByte === 0 ? {} : { range: `bytes=${fromByte}-` };
        const response = await request(from, { headers }, signal);
        const next = redirectOf(response, from);
        if (next === undefined) {
          if (response.ok || response.status === 416) return response;
          await response.body?.cancel();
          throw failed(from, `HTTP ${response.status}`);
        }
        await response.body?.cancel();
        from = next;
      }
      throw failed(from, 'too many redirects');
    },
  };
}

async function request(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error(`no response for ${HEADERS_MS / 1_000} s`)), HEADERS_MS);
  try {
    return await fetch(url, {
      ...init,
      // Sizes and ranges are those of the stored bytes.
      headers: { 'accept-encoding': 'identity', ...init.headers },
      redirect: 'manual',
      signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw failed(url, reasonOf(error), error);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the target of a redirect. A redirect from https to http is an error. */
function redirectOf({ status, headers }: Response, from: string): string | undefined {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null) return undefined;
  const to = new URL(location, from);
  const isSafe = to.protocol === 'https:' || (to.protocol === 'http:' && from.startsWith('http:'));
  if (!isSafe) throw failed(from, `it redirects to ${to.protocol}//${to.host}`);
  return to.href;
}

function describe(url: string, path: string, all: readonly Headers[]): HubFile {
  const first = (...names: readonly string[]) => {
    for (const name of names) {
      const value = all.map((headers) => headers.get(name)).find((found) => found !== null);
      if (value !== undefined && value !== null) return value;
    }
    return '';
  };
  const commit = first('x-repo-commit');
  const etag = first('x-linked-etag', 'etag').replace(/^(?:W\/)?"?|"$/g, '');
  const sizeBytes = Number(first('x-linked-size', 'content-length') || Number.NaN);
  const isSha256 = SHA256.test(etag);
  if (!COMMIT.test(commit) || !Number.isSafeInteger(sizeBytes) || !(isSha256 || COMMIT.test(etag))) {
    throw failed(url, 'the response has no commit, size or checksum. Check MODELS_HUB_URL');
  }
  return { path, sizeBytes, commit, checksum: { kind: isSha256 ? 'sha256' : 'git', value: etag } };
}

const reasonOf = (error: unknown): string => {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return reason instanceof Error ? reason.message : String(reason);
};

function failed(url: string, why: string, cause?: unknown): AppError {
  const { origin, pathname } = new URL(url);
  return new AppError('upstream_error', `Could not read ${origin}${pathname}: ${why}.`, { cause });
}
