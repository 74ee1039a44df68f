import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findPython, missingPython } from '@lectern/testing/python';

const FOLDER = fileURLToPath(new URL('../../packages/python-sdk/dist/', import.meta.url));
const PROGRAM = `import sys
from hatchling.build import build_sdist, build_wheel
for build in (build_wheel, build_sdist): print(build(sys.argv[1]))`;

/** Builds the wheel and the source distribution of the Python SDK into a folder, if Python has hatchling. */
export function packPython(out: string): void {
  const python = findPython('hatchling');
  if (python === undefined) {
    process.stdout.write(`The Python SDK is not packed: ${missingPython('hatchling')}.\n`);
    return;
  }
  const { status, error } = spawnSync(python, ['-c', PROGRAM, out], {
    cwd: FOLDER,
    // Equal sources give equal files.
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', SOURCE_DATE_EPOCH: '1580601600' },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`Packing the Python SDK failed${error === undefined ? '' : `: ${error.message}`}.`);
}
