import { copyFile, cp, mkdir, rm } from 'node:fs/promises';

/** Builds a folder from which pip can install: the generated package and its metadata. */
const root = new URL('../', import.meta.url);
const folder = new URL('dist/', root);

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await cp(new URL('src/gen/', root), folder, { recursive: true });
for (const name of ['README.md', 'pyproject.toml']) await copyFile(new URL(name, root), new URL(name, folder));
await copyFile(new URL('../../LICENSE', root), new URL('LICENSE', folder));
