import { cp, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { createPackageFolder, workspaceOf } from '../../../tools/packages/build-package.ts';
import { compileWorkspace, type Workspace } from './compile-workspace.ts';

/** Builds the published package: the launcher, all services and the CLI as JavaScript, in the repository's layout. */
const ROOTS = ['local', 'gateway', 'search', 'chat', 'agent', 'collection', 'connector'].map((name) => `apps/${name}`);

const workspace = workspaceOf(import.meta.url);
const repository = dirname(dirname(workspace));
const folder = await createPackageFolder(workspace);

const workspaces = await withWorkspaceDependencies([...ROOTS, 'packages/cli']);
const { dependencies, aliases } = mergeDependencies(workspaces);
const imported = new Set<string>();
for (const member of workspaces) {
  const libraries = await compileWorkspace(
    member,
    { repository, out: folder.path },
    aliases.get(member.path) ?? new Map(),
  );
  for (const name of libraries) imported.add(name);
}
const missing = [...imported].filter((name) => !(name in dependencies) && !builtinModules.includes(name));
if (missing.length > 0)
  throw new Error(
    `Imported libraries are missing in the dependencies: ${missing.join(', ')}. Add them to package.json.`,
  );

await cp(join(repository, 'apps/console/dist'), join(folder.path, 'apps/console/dist'), { recursive: true });
await cp(join(workspace, 'bin'), join(folder.path, 'bin'), { recursive: true });
await folder.finish({ bin: { lectern: 'bin/lectern.mjs' }, dependencies });

/** Returns the workspaces and the workspaces that they depend on. */
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

/** Merges the dependencies. If workspaces need different versions of a library, the others get an alias. */
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
