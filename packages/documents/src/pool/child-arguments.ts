import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The entry point of the child process. */
export const childEntry = fileURLToPath(new URL('../worker/main.ts', import.meta.url));

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the folders in which Node looks for this package's dependencies. */
const libraryFolders = (): string[] => {
  const folders: string[] = [];
  for (let folder = packageFolder; ; folder = dirname(folder)) {
    const libraries = join(folder, 'node_modules');
    if (existsSync(libraries)) folders.push(libraries);
    if (dirname(folder) === folder) return folders;
  }
};

/**
 * Returns this package and the workspace packages that it depends on: in a checkout, `node_modules`
 * only links to them.
 */
const workspaceFolders = (folder = packageFolder, found = new Set<string>()): Set<string> => {
  if (found.has(folder)) return found;
  found.add(folder);
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies).filter((dependency) => dependency.startsWith('@lectern/'))) {
    const link = libraryFolders()
      .map((libraries) => join(libraries, name))
      .find((path) => existsSync(path));
    if (link !== undefined) workspaceFolders(realpathSync(link), found);
  }
  return found;
};

/**
 * Returns the compile cache of this process. A child can read it but not write to it: other
 * processes would run what it writes.
 */
const compiledCode = (): string[] => (process.env.NODE_COMPILE_CACHE ? [process.env.NODE_COMPILE_CACHE] : []);

/** The heap's share of the memory limit; the rest is for buffers, code and the runtime. */
const heapShare = 0.7;

/**
 * Returns Node's flags for a child: a limited heap, and Node's permission model, which allows it only to
 * read this package and its dependencies: no other files, no writing, no processes, no addons. The
 * worker thread is for the watchdog.
 */
export const childExecArgv = (memoryLimitMb: number): string[] => [
  '--max-semi-space-size=2',
  `--max-old-space-size=${Math.floor(memoryLimitMb * heapShare)}`,
  '--permission',
  '--allow-worker',
  ...[...workspaceFolders(), ...libraryFolders(), ...compiledCode()].map((folder) => `--allow-fs-read=${folder}`),
  '--disallow-code-generation-from-strings',
  '--no-warnings',
];

/**
 * Returns the whole environment of a child, without keys or proxies. With UTC, dates without a zone
 * mean the same everywhere.
 */
export const childEnv = (): Record<string, string> => {
  const systemRoot = process.env.SystemRoot;
  const [NODE_COMPILE_CACHE] = compiledCode();
  return {
    TZ: 'UTC',
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
    ...(systemRoot === undefined ? {} : { SystemRoot: systemRoot }),
  };
};
