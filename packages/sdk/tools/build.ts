import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPackageFolder, fixDeclarationImports, workspaceOf } from '../../../tools/packages/build-package.ts';

/** Builds the published package: one JavaScript module and its declarations. */
const workspace = workspaceOf(import.meta.url);
const folder = await createPackageFolder(workspace);

const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', folder.path], {
  cwd: workspace,
  stdio: 'inherit',
});
await fixDeclarationImports(folder.path);
await folder.bundle(
  { input: join(workspace, 'src/index.ts'), platform: 'neutral' },
  { format: 'esm', entryFileNames: 'index.js' },
);
await folder.finish({ exports: { '.': { types: './index.d.ts', default: './index.js' } } });
