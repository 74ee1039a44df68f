import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the child starts. */
export const childEntry = fileURLToPath(new URL('../worker/main.ts', import.meta.url));

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
/** A workspace package that parsers import: in a checkout `node_modules` only links to it. */
const textPackage = fileURLToPath(new URL('..', import.meta.resolve('@lectern/text')));

/** The folders that Node looks for this package's libraries in. */
const libraryFolders = (): string[] => {
  const folders: string[] = [];
  for (let folder = packageFolder; ; folder = dirname(folder)) {
    const libraries = join(folder, 'node_modules');
    if (existsSync(libraries)) folders.push(libraries);
    if (dirname(folder) === folder) return folders;
  }
};

/** Where this process keeps compiled code. A child may read it and not write: what it compiles would be run by others. */
const compiledCode = (): string[] => (process.env.NODE_COMPILE_CACHE ? [process.env.NODE_COMPILE_CACHE] : []);

/** Part of the memory limit that is left for buffers, code and the runtime itself. */
const heapShare = 0.7;

/**
 * Node's flags for a child: a bounded heap, and Node's permission model, under which it can read this package and its
 * libraries and do nothing else: no other files, no writing, no processes, no addons. The thread is for its watchdog.
 */
export const childExecArgv = (memoryLimitMb: number): string[] => [
  '--max-semi-space-size=2',
  `--max-old-space-size=${Math.floor(memoryLimitMb * heapShare)}`,
  '--permission',
  '--allow-worker',
  ...[packageFolder, textPackage, ...libraryFolders(), ...compiledCode()].map((folder) => `--allow-fs-read=${folder}`),
  '--disallow-code-generation-from-strings',
  '--no-warnings',
];

/** The child inherits nothing else: no keys, no proxies. UTC makes dates without a zone read the same everywhere. */
export const childEnv = (): Record<string, string> => {
  const systemRoot = process.env.SystemRoot;
  const [NODE_COMPILE_CACHE] = compiledCode();
  return {
    TZ: 'UTC',
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
    ...(systemRoot === undefined ? {} : { SystemRoot: systemRoot }),
  };
};
