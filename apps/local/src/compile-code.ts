import { writeFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY } from '#home-folder';
import { SERVICES } from '#services';

const SERVERS = SERVICES.map(({ name }) => `apps/${name}/src/server.ts`);
const PROGRAMS = {
  ...Object.fromEntries(SERVICES.map(({ name }) => [name, `apps/${name}/src/main.ts`])),
  keys: 'apps/gateway/src/cli/keys.ts',
};
/** Modules of processes and threads that are started from their sources. */
const OTHER_MODULES = [
  'apps/agent/src/tool-servers/check-input.ts',
  'apps/agent/src/tool-servers/openapi/parse-openapi.ts',
  'packages/documents/src/formats/parse-bytes.ts',
  'packages/documents/src/worker/protocol.ts',
  'packages/embeddings/src/lsi/learn-lsi.ts',
  'packages/embeddings/src/onnx/open-model.ts',
  'packages/qdrant-local/src/index.ts',
];

// Run by compiled-code.ts with NODE_COMPILE_CACHE, and with a folder if there are to be bundles:
// loads modules without starting anything, and stores the compiled code.
const [bundles] = process.argv.slice(2);
if (bundles !== undefined) {
  // Loaded only here, because it is large.
  const { bundleCode } = await import('#bundle-code');
  const packages = await bundleCode(PROGRAMS, bundles);
  await writeFile(join(bundles, 'packages.json'), JSON.stringify(packages));
  // Otherwise Node searches the folders above for the type of the modules.
  await writeFile(join(bundles, 'package.json'), '{"type":"module"}\n');
}
for (const file of [...(bundles === undefined ? SERVERS : []), ...OTHER_MODULES]) {
  await import(pathToFileURL(join(REPOSITORY, file)).href);
}
flushCompileCache();
process.exit(0);
