import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Makes a package that can be installed anywhere, also without a network, in `dist` or the folder that is named: plain JavaScript for Node
 * 20 and later, with what it depends on inside.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
const out = resolve(process.argv[2] ?? join(root, 'dist'));

/** What a program needs of a package; its types, sources and CommonJS twins stay behind. */
const isNeeded = (path: string): boolean =>
  !/\/zod\/(?:src|v3|v4-mini|mini)(?:\/|$)/.test(path) && ['', '.js', '.json'].includes(extname(path));

await rm(out, { recursive: true, force: true });
await mkdir(join(out, 'bin'), { recursive: true });
const compiler = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc');
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', join(out, 'src')], {
  cwd: root,
  stdio: 'inherit',
});

const { name, version, license, type, dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const published = {
  name,
  version,
  license,
  type,
  engines: { node: '>=20' },
  bin: { lectern: './bin/lectern.mjs' },
  imports: { '#*': './src/*.js' },
  dependencies,
  bundleDependencies: Object.keys(dependencies),
};
await writeFile(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
await writeFile(
  join(out, 'bin/lectern.mjs'),
  `#!/usr/bin/env node\nimport { main } from '../src/main.js';\n\nawait main();\n`,
  { mode: 0o755 },
);
for (const dependency of Object.keys(dependencies)) {
  const folder = dirname(fileURLToPath(import.meta.resolve(`${dependency}/package.json`)));
  await cp(folder, join(out, 'node_modules', dependency), { recursive: true, filter: isNeeded });
}
for (const file of ['README.md', '../../LICENSE']) await cp(join(root, file), join(out, file.replace('../../', '')));
