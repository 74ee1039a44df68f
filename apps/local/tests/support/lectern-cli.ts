import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../../../packages/cli/bin/lectern.mjs', import.meta.url));
const TIMEOUT_MS = 120_000;

/** What a command printed, and how it ended. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line program as a process of its own, with nothing of this environment but the PATH. */
export async function runLectern(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Ran> {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((settle) => {
    child.once('close', settle);
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
