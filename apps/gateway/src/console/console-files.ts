import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the console's build puts its files, beside the gateway in the repository and in its image. */
export const CONSOLE_DIR = join(dirname(fileURLToPath(import.meta.url)), '../../../console/dist');

/** The page that all others of the console are in. */
export const indexFile = (dir: string): string => join(dir, 'index.html');

/** Whether the console is there to be served. Asked at each request: it may be built while the gateway runs. */
export function isConsoleBuilt(dir: string): boolean {
  return existsSync(indexFile(dir));
}
