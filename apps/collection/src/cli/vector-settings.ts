import { ConfigError, parseConfig } from '@lectern/service-kit';
import {
  type AppliedSettings,
  checkCollectionSettings,
  collectionSettings,
  createVectorStore,
} from '@lectern/vector-store';
import { z } from 'zod';

const USAGE = `Usage: node src/cli/vector-settings.ts
  Gives the existing collections of the vector store the settings that new ones get: QDRANT_REPLICATION_FACTOR,
  QDRANT_WRITE_CONSISTENCY_FACTOR, QDRANT_QUANTIZATION, QDRANT_VECTORS_ON_DISK, QDRANT_HNSW_PER_TENANT and
  QDRANT_MAX_OPTIMIZATION_THREADS. Qdrant rebuilds indexes and copies shards in the background; searches continue.
  Running it again is harmless. The server is QDRANT_URL, with QDRANT_API_KEY and QDRANT_PREFIX.`;

const settings = z
  .object({
    QDRANT_URL: z.url('must be the address of Qdrant, for example http://127.0.0.1:6333. Set it.'),
    QDRANT_API_KEY: z.string().optional(),
    QDRANT_PREFIX: z.string().optional(),
    ...collectionSettings,
  })
  .superRefine(checkCollectionSettings);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function report({ collection, newCopies, missingCopies, shards }: AppliedSettings): void {
  print(`${collection}: changed${newCopies > 0 ? `; Qdrant now makes ${newCopies} more copies of shards` : ''}`);
  if (missingCopies > 0)
    print(
      `${collection}: ${missingCopies} copies have no node. Add nodes, or lower QDRANT_REPLICATION_FACTOR, and run this command again.`,
    );
  if (shards)
    print(
      `${collection}: has ${shards.stored} shards instead of ${shards.wanted}. Qdrant cannot change this. Set another QDRANT_PREFIX for all services and run reindex, or keep the shards.`,
    );
}

async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return print(USAGE);
  const config = parseConfig(settings, env);
  const store = createVectorStore({
    url: config.QDRANT_URL,
    apiKey: config.QDRANT_API_KEY,
    prefix: config.QDRANT_PREFIX,
    collections: config,
  });
  let count = 0;
  for await (const applied of store.applySettings()) {
    report(applied);
    count++;
  }
  print(
    count === 0
      ? 'The vector store has no collections yet. New ones get these settings.'
      : `${count} collections changed`,
  );
}

try {
  await main(process.argv.slice(2), process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof ConfigError) process.stderr.write(`\n${USAGE}\n`);
  process.exitCode = 1;
}
