import { createServer } from 'node:http';
import { Catalog } from './collection/catalog.ts';
import { createRequestListener } from './http/request-listener.ts';

// Requests under way get this long to finish when the server is closed.
const drainTimeoutMs = 5_000;

/** How a server is started. */
export interface QdrantLocalOptions {
  /** The folder that holds everything; made if need be. Only one process may have it open. */
  readonly dataDir: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** When set, every request but version and health must carry it, as header `api-key` or as bearer token. */
  readonly apiKey?: string;
  /** Told what an operator should know; default: standard error. */
  readonly warn?: (message: string) => void;
}

/** A running server. */
export interface QdrantLocal {
  /** Where it listens, `http://host:port`. */
  readonly url: string;
  readonly port: number;
  /** Finishes requests under way, brings everything to disk and frees the data folder. May be called twice. */
  close(): Promise<void>;
}

function warnOnStandardError(message: string): void {
  process.stderr.write(`qdrant-local: ${message}\n`);
}

/**
 * Opens the data folder and serves it.
 *
 * @throws Error when the folder is in use or damaged, or the port is taken
 */
export async function createQdrantLocal(options: QdrantLocalOptions): Promise<QdrantLocal> {
  const { dataDir, port, host = '127.0.0.1', apiKey, warn = warnOnStandardError } = options;
  const catalog = await Catalog.open(dataDir, warn);
  const server = createServer({ keepAliveTimeout: 65_000 }, createRequestListener(catalog, apiKey, warn));
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
  // While closing, a connection is of no more use once its last answer is sent.
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
