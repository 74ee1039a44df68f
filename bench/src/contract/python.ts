import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PACKAGES = ['schemathesis>=4.32,<5', 'openapi-python-client>=0.26,<1'];

/** Runs a program to its end and shows its output. */
async function execute(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit', signal, env: { ...process.env, ...env } });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with code ${code}. The reason is in its output above.`);
}

const explain = (message: string) => (cause: unknown) => {
  throw new Error(`${message} ${cause instanceof Error ? cause.message : ''}`, { cause });
};

/** Creates a virtual environment with the tools. */
export async function createPython(folder: string, signal: AbortSignal) {
  await execute('python3', ['-m', 'venv', folder], signal).catch(
    explain('The virtual environment could not be created. Install Python 3.10 or later with venv.'),
  );
  const program = (name: string) => join(folder, 'bin', name);
  const options = ['--quiet', '--disable-pip-version-check', '--retries', '1', '--timeout', '20'];
  await execute(program('pip'), ['install', ...options, ...PACKAGES], signal).catch(
    explain(
      'pip could not install Schemathesis and openapi-python-client. Check that this machine reaches a package index, or set PIP_INDEX_URL to a mirror.',
    ),
  );
  return {
    /** Runs a program of the environment. */
    run: (name: string, args: readonly string[], env?: Readonly<Record<string, string>>) =>
      execute(program(name), args, signal, env),
  };
}
