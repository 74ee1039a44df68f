import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The build output of the console. The path is the same in the repository and in the image. */
export const CONSOLE_DIR = join(dirname(fileURLToPath(import.meta.url)), '../../../console/dist');

/** The HTML files of the console: of all its pages, and of the API reference. */
export type ConsoleFile = 'index.html' | 'reference.html';

/**
 * Returns the path of an HTML file, or undefined if the console is not built. Checked per request, because
 * it can be built while the gateway runs.
 */
export function builtFile(dir: string, file: ConsoleFile): string | undefined {
  const path = join(dir, file);
  return existsSync(path) ? path : undefined;
}
