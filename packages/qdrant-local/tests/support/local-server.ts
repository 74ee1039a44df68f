import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QdrantClient } from '@qdrant/js-client-rest';
import { createQdrantLocal, type QdrantLocal } from '../../src/index.ts';

/** A server on a free port with a temporary data folder, and the official client. */
export interface LocalServer {
  readonly client: QdrantClient;
  readonly url: string;
  readonly dataDir: string;
  /** Closes the server and starts another one with the same folder. */
  restart(): Promise<void>;
  /** Closes the server and deletes the folder. */
  stop(): Promise<void>;
}

export async function startLocalServer(): Promise<LocalServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'qdrant-local-'));
  let server: QdrantLocal = await createQdrantLocal({ dataDir, port: 0 });
  const clientOf = (): QdrantClient => new QdrantClient({ url: server.url, checkCompatibility: false });
  let client = clientOf();
  return {
    get client() {
      return client;
    },
    get url() {
      return server.url;
    },
    dataDir,
    async restart() {
      await server.close();
      server = await createQdrantLocal({ dataDir, port: 0 });
      client = clientOf();
    },
    async stop() {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the status and message of the error that the client throws. */
export async function errorOf(act: Promise<unknown>): Promise<{ status: number; error: string }> {
  try {
    await act;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'status' in error && 'data' in error) {
      const { status, data } = error as { status: number; data: { status: { error: string } } };
      return { status, error: data.status.error };
    }
    throw error;
  }
  throw new Error('The request did not fail.');
}
