import { join } from 'node:path';
import { startQdrantLocal } from '@lectern/local-engines';
import { temporaryFolder } from '#engines/temporary-folder';

export interface TestQdrant {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a qdrant-local, or uses the server at QDRANT_URL, if tests prefix their collections. */
export async function testQdrant(): Promise<TestQdrant> {
  if (process.env.QDRANT_URL) return { url: process.env.QDRANT_URL, stop: async () => undefined };
  const folder = await temporaryFolder();
  const server = await startQdrantLocal({ dataDir: join(folder.path, 'qdrant') });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await folder.remove();
    },
  };
}
