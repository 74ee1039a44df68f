import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';

const LICENSE = fileURLToPath(new URL('../../LICENSE', import.meta.url));

/** The fields of a workspace's manifest that are published unchanged. */
const PUBLISHED_FIELDS = [
  'name',
  'version',
  'description',
  'keywords',
  'license',
  'author',
  'homepage',
  'repository',
  'bugs',
  'type',
  'sideEffects',
  'engines',
] as const;

/** A folder with a package that can be published. The workspaces themselves are TypeScript sources. */
export interface PackageFolder {
  readonly path: string;
  /** The manifest of the workspace. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Bundles modules and writes the licenses of the libraries in the bundle. */
  bundle(
    input: Pick<InputOptions, 'input' | 'external' | 'platform' | 'plugins' | 'resolve'>,
    output: OutputOptions,
  ): Promise<void>;
  /** Writes package.json, README and LICENSE. `fields` are the entry points and dependencies. */
  finish(fields: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Creates an empty `dist` in a workspace, or the folder given as the first argument of the build script. */
export async function createPackageFolder(workspace: string, out = process.argv[2]): Promise<PackageFolder> {
  const path = resolve(out ?? join(workspace, 'dist'));
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
  const manifest = JSON.parse(await readFile(join(workspace, 'package.json'), 'utf8'));
  const libraries = new Map<string, string>();

  return {
    path,
    manifest,
    async bundle(input, output) {
      const bundle = await rolldown({ platform: 'node', logLevel: 'warn', ...input });
      const { output: chunks } = await bundle.write({ dir: path, ...output });
      await bundle.close();
      for (const chunk of chunks) {
        if (chunk.type !== 'chunk') continue;
        for (const id of chunk.moduleIds) {
          const folder = libraryFolder(id);
          if (folder !== undefined) libraries.set(folder.name, folder.path);
        }
      }
    },
    async finish(fields) {
      if (libraries.size > 0) await writeFile(join(path, 'THIRD-PARTY-LICENSES.txt'), await licensesOf(libraries));
      for (const [file, name] of [
        [join(workspace, 'README.md'), 'README.md'],
        [LICENSE, 'LICENSE'],
      ] as const) {
        await copyFile(file, join(path, name));
      }
      const common = Object.fromEntries(
        PUBLISHED_FIELDS.flatMap((name) => (name in manifest ? [[name, manifest[name]]] : [])),
      );
      const { directory: _directory, ...publishConfig } = manifest.publishConfig;
      const published = { ...common, files: (await readdir(path)).sort(), ...fields, publishConfig };
      await writeFile(join(path, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
    },
  };
}

function libraryFolder(moduleId: string): { readonly name: string; readonly path: string } | undefined {
  const [, path, name] = /^\0?(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(moduleId) ?? [];
  return path === undefined || name === undefined ? undefined : { name, path };
}

async function licensesOf(libraries: ReadonlyMap<string, string>): Promise<string> {
  const sections: string[] = [];
  for (const [name, path] of [...libraries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { version, license } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
    const file = (await readdir(path)).find((entry) => /^licen[cs]e/i.test(basename(entry)));
    const text = file === undefined ? '' : `\n${(await readFile(join(path, file), 'utf8')).trim()}\n`;
    sections.push(`${name} ${version} (${license})\n${text}`);
  }
  return `This package includes the following libraries.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** Replaces `.ts` by `.js` in the imports of declaration files. */
export async function fixDeclarationImports(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) {
    if (!entry.endsWith('.d.ts')) continue;
    const file = join(folder, entry);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(/((?:from |import\()'\.[^']*)\.ts'/g, "$1.js'"));
  }
}

/** The root folder of the workspace whose build script is running. */
export const workspaceOf = (scriptUrl: string): string => dirname(dirname(fileURLToPath(scriptUrl)));
