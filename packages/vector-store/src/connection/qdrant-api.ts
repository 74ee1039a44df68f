import { QdrantClient } from '@qdrant/js-client-rest';

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
  const client = new QdrantClient({
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
  });
  return client.api();
}
