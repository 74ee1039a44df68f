import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPackageFolder, fixDeclarationImports, workspaceOf } from '../../../tools/packages/build-package.ts';

/** Builds the published package: the library, its type declarations and the program. */
const workspace = workspaceOf(import.meta.url);
const folder = await createPackageFolder(workspace);

const compiler = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc');
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', folder.path], {
  cwd: workspace,
  stdio: 'inherit',
});
await fixDeclarationImports(folder.path);
await folder.bundle(
  { input: { index: join(workspace, 'src/index.ts'), main: join(workspace, 'src/main.ts') } },
  { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
);
await folder.finish({
  bin: { 'qdrant-local': 'main.js' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
});
