import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { join } from 'node:path';

/** A fake hub in the form of huggingface.co, with its storage of large files on another port. */
export interface HubServer {
  readonly url: string;
  /** The bytes that the storage sent. */
  readonly sentBytes: number;
  /** The `Range` headers of the requests to the storage. */
  readonly ranges: readonly (string | undefined)[];
  /** The next responses of the storage end after so many bytes of a file. */
  cutAfter(...bytes: readonly number[]): void;
  /** Changes a byte of the files that the storage sends from now on. */
  damage(isDamaged: boolean): void;
  stop(): Promise<void>;
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const gitIdOf = (bytes: Uint8Array) => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
/** The commit of each model's branch `main`. */
export const commitOf = (name: string): string => createHash('sha1').update(name).digest('hex');

/** Serves the models in `folder`, named by their paths (`owner/name`). */
export async function startHubServer(folder: string): Promise<HubServer> {
  const large = new Map<string, Uint8Array>();
  const ranges: (string | undefined)[] = [];
  let cuts: number[] = [];
  let isDamaged = false;
  let sentBytes = 0;

  const storage = await listen((request, response) => {
    const stored = large.get((request.url ?? '').slice(1));
    if (stored === undefined) return void response.writeHead(404).end();
    const range = request.headers.range;
    ranges.push(range);
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    if (from >= stored.length) return void response.writeHead(416).end();
    const bytes = Buffer.from(stored.subarray(from));
    if (isDamaged) bytes[0] = (bytes[0] ?? 0) ^ 1;
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': bytes.length,
      ...(from > 0 ? { 'content-range': `bytes ${from}-${stored.length - 1}/${stored.length}` } : {}),
    });
    const cut = cuts.shift();
    const sent = cut === undefined ? bytes : bytes.subarray(0, cut);
    sentBytes += sent.length;
    if (cut === undefined) response.end(sent);
    else response.write(sent, () => setImmediate(() => response.destroy()));
  });

  const answer = async (method: string, path: string, response: ServerResponse): Promise<void> => {
    const cached = path.startsWith('/cached/');
    const [, name = '', revision = '', file = ''] =
      /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(cached ? path.slice('/cached'.length) : path) ?? [];
    const commit = commitOf(name);
    const bytes = await readFile(join(folder, name, file)).catch(() => undefined);
    if (bytes === undefined || !['main', commit].includes(revision)) return void response.writeHead(404).end();
    const head = { 'x-repo-commit': commit };
    if (file.endsWith('.onnx')) {
      const sha256 = sha256Of(bytes);
      large.set(sha256, bytes);
      response.writeHead(302, {
        ...head,
        'x-linked-etag': `"${sha256}"`,
        'x-linked-size': bytes.length,
        location: `${storage.url}/${sha256}`,
      });
      return void response.end();
    }
    if (!cached) return void response.writeHead(307, { ...head, location: `/cached${path}` }).end();
    response.writeHead(200, { ...head, etag: `"${gitIdOf(bytes)}"`, 'content-length': bytes.length });
    response.end(method === 'HEAD' ? undefined : bytes);
  };
  const hub = await listen((request, response) => {
    answer(request.method ?? 'GET', request.url ?? '/', response).catch(() => response.destroy());
  });

  return {
    url: hub.url,
    get sentBytes() {
      return sentBytes;
    },
    ranges,
    cutAfter: (...bytes) => {
      cuts = [...bytes];
    },
    damage: (value) => {
      isDamaged = value;
    },
    stop: async () => {
      await Promise.all([hub.stop(), storage.stop()]);
    },
  };
}

async function listen(listener: RequestListener): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
