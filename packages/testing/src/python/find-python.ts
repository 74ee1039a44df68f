import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 300_000;
const execute = promisify(execFile);

const imports = (python: string, module: string): boolean =>
  spawnSync(python, ['-c', `import ${module}`], { stdio: 'ignore', timeout: 60_000 }).status === 0;

/**
 * The Python that runs the tests of the Python SDK: `LECTERN_PYTHON`, or the first `python3` that has
 * the module. Undefined if this machine has none.
 */
export function findPython(module: string): string | undefined {
  const { LECTERN_PYTHON } = process.env;
  const candidates = LECTERN_PYTHON ? [LECTERN_PYTHON] : ['python3', '/usr/bin/python3'];
  return candidates.find((python) => imports(python, module));
}

/** Why tests that need a Python module are skipped. */
export const missingPython = (module: string): string =>
  `no python3 can import ${module} (Debian: apt-get install python3-httpx mypy python3-hatchling)`;

/** Runs Python with modules from a folder. Returns what it prints. Throws with its output if it fails. */
export async function runPython(
  python: string,
  args: readonly string[],
  {
    modules,
    cwd,
    env = {},
  }: { readonly modules: string; readonly cwd?: string; readonly env?: Record<string, string> },
): Promise<string> {
  const { PATH, HOME, TMPDIR } = process.env;
  const { stdout } = await execute(python, args, {
    cwd,
    // Nothing is written next to the modules.
    env: { PATH, HOME, TMPDIR, ...env, PYTHONPATH: modules, PYTHONDONTWRITEBYTECODE: '1' },
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
