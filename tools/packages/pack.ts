import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPython } from './pack-python.ts';
import { PUBLISHED } from './published.ts';

// Packs all published packages into a folder: node tools/packages/pack.ts [FOLDER]. Build them first.
const repository = fileURLToPath(new URL('../../', import.meta.url));
const out = resolve(repository, process.argv[2] ?? 'dist/packages');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const name of PUBLISHED) {
  const args = ['pack', `./packages/${name}/dist`, '--pack-destination', out];
  execFileSync('npm', args, { cwd: repository, stdio: ['ignore', 'inherit', 'inherit'] });
}
packPython(out);
