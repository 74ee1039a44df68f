import { join } from 'node:path';
import { createPackageFolder, workspaceOf } from '../../../tools/packages/build-package.ts';

/** Builds the published package: one JavaScript file with all dependencies. */
const workspace = workspaceOf(import.meta.url);
const folder = await createPackageFolder(workspace);

await folder.bundle(
  { input: join(workspace, 'src/bin.ts') },
  { format: 'esm', entryFileNames: 'bin/lectern.mjs', banner: '#!/usr/bin/env node' },
);
await folder.finish({ bin: { lectern: 'bin/lectern.mjs' } });
