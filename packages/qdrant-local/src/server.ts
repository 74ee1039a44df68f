import { createServer } from 'node:http';
import { Catalog } from './collection/catalog.ts';
import { isLoopback } from './http/browser-guard.ts';
import { createRequestListener } from './http/request-listener.ts';

// How long current requests can take to finish when the server is closed.
const drainTimeoutMs = 5_000;

/** The options of a server. */
export interface QdrantLocalOptions {
  /** The data folder, created if it does not exist. Only one process can open it. */
  readonly dataDir: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Default 127.0.0.1. An address that other machines can reach requires a key. */
  readonly host?: string;
  /**
   * If set, every request except version and health must send it as `api-key` header or bearer
   * token.
   */
  readonly apiKey?: string;
  /**
   * Additional host names that requests may use when the server listens only on this machine, for
   * example a proxy's.
   */
  readonly allowedHosts?: readonly string[];
  /** Called with warnings for operators. Default: standard error. */
  readonly warn?: (message: string) => void;
}

/** A running server. */
export interface QdrantLocal {
  /** The URL, `http://host:port`. */
  readonly url: string;
  readonly port: number;
  /**
   * Finishes current requests, writes everything to disk and releases the data folder. Can be
   * called twice.
   */
  close(): Promise<void>;
}

function warnOnStandardError(message: string): void {
  process.stderr.write(`qdrant-local: ${message}\n`);
}

/**
 * Opens the data folder and starts the server.
 *
 * @throws Error if the folder is in use or damaged, the port is in use, or other machines could
 * connect without a key
 */
export async function createQdrantLocal(options: QdrantLocalOptions): Promise<QdrantLocal> {
  const { dataDir, port, host = '127.0.0.1', apiKey, allowedHosts = [], warn = warnOnStandardError } = options;
  const isLocal = isLoopback(host);
  if (!isLocal && !apiKey)
    throw new Error(
      `other machines can reach ${host}, so a key is required: set QDRANT_LOCAL_API_KEY or --api-key-file, or listen on 127.0.0.1`,
    );
  const access = { apiKey, allowedHosts, anyHost: !isLocal };
  const catalog = await Catalog.open(dataDir, warn);
  const server = createServer({ keepAliveTimeout: 65_000 }, createRequestListener(catalog, access, warn));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    await catalog.close();
    throw error;
  }
  const address = server.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  const closeOnce = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const force = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
    await closed;
    clearTimeout(force);
    await catalog.close();
  };
  let closing: Promise<void> | undefined;
  // While closing, connections are closed after their last response.
  server.on('request', (_, response) => {
    response.on('close', () => {
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    port: actualPort,
    close: () => {
      closing ??= closeOnce();
      return closing;
    },
  };
}
