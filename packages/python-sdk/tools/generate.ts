import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { renderPackage } from '#package';

/** Generates the complete Python package from the OpenAPI document and the files written by hand. */
const root = new URL('../', import.meta.url);
const folder = new URL('src/gen/lectern_sdk/', root);
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));

await rm(folder, { recursive: true, force: true });
for (const [path, text] of await renderPackage(version)) {
  const file = new URL(path, folder);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
}
