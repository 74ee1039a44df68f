import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this checkout, where apps/ and node_modules/ are. */
export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/** The absolute path of the data folder: LECTERN_HOME, or `.lectern` in the checkout. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  return resolve(env.LECTERN_HOME || `${REPOSITORY}.lectern`);
}
