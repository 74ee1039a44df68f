import { execFileSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WIDGET_ASK_FILE, WIDGET_SCRIPT_FILE } from '#script-file';
import { createPackageFolder, workspaceOf } from '../../../tools/packages/build-package.ts';
import { ASK_OPTIONS } from './ask-bundle.ts';

/** Builds the published package: the script for a script tag and a module for bundlers. */
const workspace = workspaceOf(import.meta.url);
const folder = await createPackageFolder(workspace);

const compiler = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc');
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', folder.path], {
  cwd: workspace,
  stdio: 'inherit',
});
await folder.bundle(
  { ...ASK_OPTIONS, input: join(workspace, 'src/index.ts') },
  { format: 'esm', entryFileNames: 'index.js', chunkFileNames: '[name].js' },
);
await copyFile(WIDGET_SCRIPT_FILE, join(folder.path, 'widget.js'));
await copyFile(WIDGET_ASK_FILE, join(folder.path, 'widget-ask.js'));
await folder.finish({
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './widget.js': './widget.js',
    './widget-ask.js': './widget-ask.js',
  },
  unpkg: 'widget.js',
  jsdelivr: 'widget.js',
});
