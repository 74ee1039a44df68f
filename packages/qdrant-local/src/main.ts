#!/usr/bin/env node
import { collectWhenIdle } from '@lectern/resilience/collect-when-idle';
import { createQdrantLocal } from './server.ts';
import { readSettings, usage } from './settings.ts';

async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2), process.env);
  if (settings === 'help') {
    process.stdout.write(usage);
    return;
  }
  const server = await createQdrantLocal(settings);
  process.stdout.write(`qdrant-local is ready at ${server.url}\n`);
  collectWhenIdle();
  const stop = (): void => {
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`qdrant-local: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`qdrant-local: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
