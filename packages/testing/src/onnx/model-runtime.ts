import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The packages that run models, which `npm run models -- install` installed in the folder
 * `runtime` of LECTERN_TEST_MODELS; undefined if they are not installed.
 */
const runtime = process.env.LECTERN_TEST_MODELS && join(process.env.LECTERN_TEST_MODELS, 'runtime');

/** Whether tests can run models. */
export const hasModelRuntime = runtime !== undefined && existsSync(join(runtime, 'node_modules/onnxruntime-node'));

/** The reason for the names of skipped tests. */
export const NO_MODEL_RUNTIME = 'LECTERN_TEST_MODELS has no installed runtime';

/** Gives a folder of models the installed packages. */
export async function linkModelRuntime(modelsDir: string): Promise<void> {
  await mkdir(modelsDir, { recursive: true });
  if (runtime) await symlink(runtime, join(modelsDir, 'runtime'));
}
