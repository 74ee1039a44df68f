import { QdrantClient } from '@qdrant/js-client-rest';
import { Fetcher, type Middleware } from '@qdrant/openapi-typescript-fetch';
import { createTransport } from '#connection/transport';

/** Every endpoint of Qdrant's REST interface as a typed function. */
export type QdrantApi = ReturnType<QdrantClient['api']>;

export interface ServerAddress {
  /** Of Qdrant's REST port; with a path if a proxy serves Qdrant under one. */
  readonly url: string;
  readonly apiKey?: string | undefined;
}

/** Qdrant's REST port, used if the address has none. */
const DEFAULT_PORT = 6333;

/** Connects when the first call is made. */
export function createQdrantApi({ url, apiKey }: ServerAddress): QdrantApi {
  const { protocol, hostname, pathname } = new URL(url);
  // `URL` drops a port that is the scheme's default, but without a port Qdrant's default would be
  // used.
  const [, port = DEFAULT_PORT] = /^https?:\/\/[^/]*:(\d+)(?:\/|$)/i.exec(url) ?? [];
  const settings = {
    url: `${protocol}//${hostname}`,
    port: Number(port),
    prefix: pathname.replace(/\/+$/, ''),
    headers: {
      // With gzip, Qdrant responds in chunks, and the last one waits about 40 ms for a delayed ACK.
      'accept-encoding': 'identity',
      // The option `apiKey` is not used, because it prints a warning if the address is not https.
      ...(apiKey === undefined ? {} : { 'api-key': apiKey }),
    },
    // Each call has its own deadline. With a finite timeout the client would replace the call's
    // signal.
    timeout: Number.POSITIVE_INFINITY,
    checkCompatibility: false,
  };
  return withTransport(createTransport(), () => new QdrantClient(settings)).api();
}

/**
 * Creates a client whose requests end in `transport`. The client builds its fetcher itself and has
 * no option for this, so the fetcher gets one more step when the client configures it.
 */
function withTransport(transport: Middleware, create: () => QdrantClient): QdrantClient {
  const createFetcher = Fetcher.for;
  let isUsed = false;
  Fetcher.for = new Proxy(createFetcher, {
    apply: () => {
      const fetcher = createFetcher();
      return {
        ...fetcher,
        configure: ({ use = [], ...config }: Parameters<typeof fetcher.configure>[0]) => {
          isUsed = true;
          fetcher.configure({ ...config, use: [...use, transport] });
        },
      };
    },
  });
  try {
    const client = create();
    if (!isUsed) throw new Error('The Qdrant client did not use the fetcher that it is given.');
    return client;
  } finally {
    Fetcher.for = createFetcher;
  }
}
