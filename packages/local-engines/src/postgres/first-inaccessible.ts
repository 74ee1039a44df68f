import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Account } from '#postgres/account';
import { EngineError } from '#process/engine-error';

const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** A path and the access to check: enter a folder, list a folder, read a file, or run a program. */
export type Use = { readonly path: string; readonly how: 'enter' | 'list' | 'read' | 'run' };

/**
 * Asks the kernel instead of reading mode bits, because access control lists, mount options and
 * security modules also count. The last line is always `done`, so that a shell that stops early does not look like a
 * success.
 */
const SCRIPT = `
while read -r how path; do
  case $how in
    enter) [ -x "$path" ] ;;
    read) [ -r "$path" ] ;;
    list | run) [ -x "$path" ] && [ -r "$path" ] ;;
  esac || printf '%s\\n' "$path"
done
echo done
`;

/**
 * Returns the first path that the account cannot access as specified. Undefined if it can access all
 * paths.
 */
export async function firstInaccessible(account: Account, uses: readonly Use[]): Promise<string | undefined> {
  try {
    const options = { cwd: '/', env: {}, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, ...account };
    const shell = promisify(execFile)('/bin/sh', ['-c', SCRIPT], options);
    shell.child.stdin?.on('error', () => undefined);
    shell.child.stdin?.end(uses.map(({ how, path }) => `${how} ${path}\n`).join(''));
    const output = (await shell).stdout;
    const lines = output.split('\n').slice(0, -1);
    if (lines.pop() === 'done') return lines[0];
    throw new Error('/bin/sh ended early');
  } catch (cause) {
    const who = account === undefined ? 'this account' : `the account with uid ${account.uid}`;
    throw new EngineError(
      `Lectern cannot check which files PostgreSQL can use as ${who}: ${cause instanceof Error ? cause.message : cause}. PostgreSQL refuses to run as root. Run Lectern as an ordinary user, let it switch to that account (CAP_SETUID, CAP_SETGID), or set DATABASE_URL.`,
      { cause },
    );
  }
}
