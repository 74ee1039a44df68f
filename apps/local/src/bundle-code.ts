import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'rolldown';
import { REPOSITORY } from '#home-folder';

const LOCATION = /\bimport\.meta\.(url|dirname|filename)\b/g;
const COMMONJS_LOCATION = /\b__(dirname|filename)\b/;
const MODULE_SYNTAX = /^\s*(import|export)\b/m;

/** Modules find their workers, migrations and packages by their own location. */
const originalLocations: Plugin = {
  name: 'original-locations',
  transform(code, id) {
    // Rolldown's own modules have no location.
    if (id.startsWith('\0')) return undefined;
    const location = { url: pathToFileURL(id).href, dirname: dirname(id), filename: id };
    const text = (name: keyof typeof location): string => JSON.stringify(location[name]);
    if (MODULE_SYNTAX.test(code)) {
      const located = code.replace(LOCATION, (_found, name: keyof typeof location) => text(name));
      return located === code ? undefined : { code: located };
    }
    if (!COMMONJS_LOCATION.test(code)) return undefined;
    return { code: `var __dirname = ${text('dirname')}, __filename = ${text('filename')};\n${code}` };
  },
};

const QUERY_COMPILER = /\/query_compiler_\w+\.\w+\.wasm-base64\.m?js$/;

/**
 * Writes Prisma's query compiler to a file, which is read once. As base64 text in a module, each
 * service would keep it in memory twice.
 */
const compilerInFile: Plugin = {
  name: 'compiler-in-file',
  async load(id) {
    if (!QUERY_COMPILER.test(id)) return undefined;
    const { wasm } = await import(pathToFileURL(id).href);
    const reference = this.emitFile({
      type: 'asset',
      name: 'query-compiler.wasm',
      source: Buffer.from(wasm, 'base64'),
    });
    // Prisma decodes it with Buffer.from(wasm, 'base64').
    return `import { readFileSync } from 'node:fs';
      const file = new URL(import.meta.ROLLUP_FILE_URL_${reference});
      export const wasm = { valueOf: () => readFileSync(file, 'base64') };`;
  },
};

/**
 * Bundles programs with everything that they import into a folder, as `<name>.js` and shared parts.
 * Returns the manifests of the installed packages that they contain, and the modules of linked ones.
 *
 * @param programs paths in the repository by name
 */
export async function bundleCode(programs: Readonly<Record<string, string>>, folder: string): Promise<string[]> {
  const input = Object.entries(programs).map(([name, file]) => [name, join(REPOSITORY, file)] as const);
  const { output } = await build({
    cwd: REPOSITORY,
    input: Object.fromEntries(input),
    platform: 'node',
    plugins: [originalLocations, compilerInFile],
    onLog: (_level, { code, message }) => {
      if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
    },
    output: {
      dir: folder,
      format: 'esm',
      keepNames: true,
      // If a source has characters outside ASCII, each of its characters is stored in two bytes.
      comments: false,
      charset: 'ascii',
      // Without hashes, so that Node's compile cache replaces their entries.
      chunkFileNames: '[name].js',
      assetFileNames: '[name][extname]',
    },
  });
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  return [...new Set(modules.flatMap((module) => manifestOf(module) ?? []))].sort();
}

/** Returns the manifest of an installed package's module. A linked package counts as the module itself. */
function manifestOf(module: string): string | undefined {
  const root = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1];
  if (root !== undefined) return join(root, 'package.json');
  return module.startsWith('\0') || module.startsWith(REPOSITORY) ? undefined : module;
}
