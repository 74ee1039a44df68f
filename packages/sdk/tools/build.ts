import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Makes `dist`: plain JavaScript with declarations and a package.json of its own, ready to be published or copied. */
const root = new URL('../', import.meta.url);
const at = (path: string) => fileURLToPath(new URL(path, root));

await rm(at('dist'), { recursive: true, force: true });
const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: at('.'), stdio: 'inherit' });
const { name, version, license, type, sideEffects } = JSON.parse(await readFile(at('package.json'), 'utf8'));
const exports = { '.': { types: './index.d.ts', default: './index.js' } };
const published = { name, version, license, type, sideEffects, exports };
await writeFile(at('dist/package.json'), `${JSON.stringify(published, null, 2)}\n`);
