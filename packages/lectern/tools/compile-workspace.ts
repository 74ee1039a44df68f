import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** Files and folders of a workspace that the running services do not use. */
const EXCLUDED =
  /^(node_modules|dist|tests|bench|faults|tools|\.turbo|README\.md|package\.json|.*config\.(m?js|ts)|tsconfig.*)$/;

/** String literals with the path of a TypeScript file: relative, or from the root of the repository. */
const TYPESCRIPT_PATH = /(['"`])((?:\.{1,2}\/|apps\/|packages\/)[^'"`\n]*|main)\.ts\1/g;

const WORKSPACE_IMPORT = /'(@lectern\/[a-z-]+(?:\/[a-z-]+)?)'/g;

/** Imports of libraries, at the start of a line or at the end of a list of names. */
const LIBRARY_IMPORT =
  /^(?:import |import .* from |export .* from |} from )['"]((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^'"]*)?['"]/gm;

/** A workspace of the repository. */
export interface Workspace {
  /** The path from the root of the repository, for example `apps/gateway`. */
  readonly path: string;
  readonly manifest: {
    readonly name: string;
    readonly version: string;
    readonly imports?: Readonly<Record<string, string>>;
    readonly dependencies?: Readonly<Record<string, string>>;
  };
}

/** The source and target folders. They have the same layout. */
export interface Trees {
  readonly repository: string;
  readonly out: string;
}

/**
 * Copies a workspace, with its TypeScript compiled to JavaScript: Node does not strip types in
 * `node_modules`. Imports of other workspaces become relative. `aliases` renames libraries. Returns
 * the names of the imported libraries.
 */
export async function compileWorkspace(
  { path, manifest }: Workspace,
  { repository, out }: Trees,
  aliases: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const source = join(repository, path);
  const target = join(out, path);
  const libraries = new Set<string>();
  for (const name of await readdir(source)) {
    if (EXCLUDED.test(name)) continue;
    await cp(join(source, name), join(target, name), {
      recursive: true,
      filter: (file) => !/\.tsx?$/.test(file) && !file.endsWith('.snap'),
    });
  }
  for (const file of await readdir(join(source, 'src'), { recursive: true })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.endsWith('.d.ts')) continue;
    const from = join(source, 'src', file);
    const to = join(target, 'src', file.replace(/\.ts$/, '.js'));
    const compiled = compile(await readFile(from, 'utf8'), from, aliases);
    for (const [, name = ''] of compiled.matchAll(LIBRARY_IMPORT)) libraries.add(name);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, compiled);
  }
  const { name, version, imports = {} } = manifest;
  const compiledImports = Object.fromEntries(
    Object.entries(imports).map(([from, to]) => [from, to.replace(/\.ts$/, '.js')]),
  );
  await writeFile(
    join(target, 'package.json'),
    `${JSON.stringify({ name, version, private: true, type: 'module', imports: compiledImports }, null, 2)}\n`,
  );
  return libraries;
}

function compile(code: string, file: string, aliases: ReadonlyMap<string, string>): string {
  const { resolve } = createRequire(file);
  const renamed = (text: string, [name, alias]: readonly [string, string]) =>
    text.replaceAll(`'${name}'`, `'${alias}'`);
  const stripped = stripTypeScriptTypes(code)
    .replaceAll(WORKSPACE_IMPORT, (literal, specifier: string) => {
      const path = relative(dirname(file), resolve(specifier));
      return literal.replace(specifier, path.startsWith('.') ? path : `./${path}`);
    })
    .replaceAll(TYPESCRIPT_PATH, '$1$2.js$1');
  return [...aliases].reduce(renamed, stripped);
}
