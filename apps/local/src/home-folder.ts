import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this checkout, where apps/ and node_modules/ are. */
export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/** Where everything local is kept: LECTERN_HOME, else `.lectern` in the checkout. Absolute. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  return resolve(env.LECTERN_HOME || `${REPOSITORY}.lectern`);
}
