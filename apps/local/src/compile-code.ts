import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY } from '#home-folder';
import { SERVICES } from '#services';

/** The modules of other processes. */
const OTHER_MODULES = [
  'packages/documents/src/formats/parse-bytes.ts',
  'packages/documents/src/worker/protocol.ts',
  'packages/qdrant-local/src/index.ts',
];

// Run by compiled-code.ts with NODE_COMPILE_CACHE: loads all modules without starting anything, and stores the compiled code.
const files = [...SERVICES.map(({ name }) => `apps/${name}/src/server.ts`), ...OTHER_MODULES];
for (const file of files) await import(pathToFileURL(join(REPOSITORY, file)).href);
flushCompileCache();
process.exit(0);
