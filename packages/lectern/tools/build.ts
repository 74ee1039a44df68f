import { cp, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { createPackageFolder, workspaceOf } from '../../../tools/packages/build-package.ts';
import { compileWorkspace, type Workspace } from './compile-workspace.ts';

/** Builds the package that is published: the launcher, all services and the CLI as JavaScript, in the layout of the repository. */
const ROOTS = ['local', 'gateway', 'search', 'chat', 'agent', 'collection', 'connector'].map((name) => `apps/${name}`);

const workspace = workspaceOf(import.meta.url);
const repository = dirname(dirname(workspace));
const folder = await createPackageFolder(workspace);

const workspaces = await withWorkspaceDependencies([...ROOTS, 'packages/cli']);
const { dependencies, aliases } = mergeDependencies(workspaces);
const imported = new Set<string>();
for (const one of workspaces) {
  const libraries = await compileWorkspace(one, { repository, out: folder.path }, aliases.get(one.path) ?? new Map());
  for (const name of libraries) imported.add(name);
}
const missing = [...imported].filter((name) => !(name in dependencies) && !builtinModules.includes(name));
if (missing.length > 0) throw new Error(`These libraries are imported but are not dependencies: ${missing.join(', ')}`);

await cp(join(repository, 'apps/console/dist'), join(folder.path, 'apps/console/dist'), { recursive: true });
await cp(join(workspace, 'bin'), join(folder.path, 'bin'), { recursive: true });
await folder.finish({ bin: { lectern: 'bin/lectern.mjs' }, dependencies });

/** The workspaces and all that they depend on. */
async function withWorkspaceDependencies(paths: readonly string[]): Promise<readonly Workspace[]> {
  const found = new Map<string, Workspace>();
  const pending = [...paths];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (found.has(path)) continue;
    const manifest = JSON.parse(await readFile(join(repository, path, 'package.json'), 'utf8'));
    found.set(path, { path, manifest });
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      if (name.startsWith('@lectern/')) pending.push(`packages/${name.slice('@lectern/'.length)}`);
    }
  }
  return [...found.values()];
}

/** All libraries. A workspace that needs another version than the rest gets it under an alias. */
function mergeDependencies(all: readonly Workspace[]) {
  const dependencies: Record<string, string> = {};
  const aliases = new Map<string, Map<string, string>>();
  const byPath = all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, manifest } of byPath) {
    for (const [name, version] of Object.entries(manifest.dependencies ?? {})) {
      if (name.startsWith('@lectern/')) continue;
      dependencies[name] ??= version;
      if (dependencies[name] === version) continue;
      const alias = `${name.replace(/[@/]/g, '')}-${version}`;
      dependencies[alias] = `npm:${name}@${version}`;
      aliases.set(path, (aliases.get(path) ?? new Map<string, string>()).set(name, alias));
    }
  }
  return { dependencies: Object.fromEntries(Object.entries(dependencies).sort()), aliases };
}
