import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The build output of the console. The path is the same in the repository and in the image. */
export const CONSOLE_DIR = join(dirname(fileURLToPath(import.meta.url)), '../../../console/dist');

/** The single HTML file of the console. */
export const indexFile = (dir: string): string => join(dir, 'index.html');

/**
 * True if the console is built. Checked per request, because it can be built while the gateway
 * runs.
 */
export function isConsoleBuilt(dir: string): boolean {
  return existsSync(indexFile(dir));
}
