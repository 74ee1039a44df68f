import { execFileSync } from 'node:child_process';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Makes `dist`, or the folder that is named: plain JavaScript with declarations and a package.json of its own, ready to be published or copied. */
const root = new URL('../', import.meta.url);
const at = (path: string) => fileURLToPath(new URL(path, root));

const out = resolve(process.argv[2] ?? at('dist'));
await rm(out, { recursive: true, force: true });
const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', out], {
  cwd: at('.'),
  stdio: 'inherit',
});
const { name, version, license, type, sideEffects } = JSON.parse(await readFile(at('package.json'), 'utf8'));
const exports = { '.': { types: './index.d.ts', default: './index.js' } };
const published = { name, version, license, type, sideEffects, engines: { node: '>=20' }, exports };
await writeFile(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
for (const file of ['README.md', '../../LICENSE']) await copyFile(at(file), join(out, file.replace('../../', '')));
