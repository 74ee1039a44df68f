import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EngineError } from '#process/engine-error';

const run = promisify(execFile);
const TIMEOUT_MS = 10_000;

/** The operating system's account that PostgreSQL runs as; undefined for the launcher's own. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

/** A program with the arguments and ids that make it run as an account. */
export type AccountCommand = {
  readonly command: string;
  readonly args: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
};

/**
 * PostgreSQL refuses to run as root. Root therefore lends it to whoever owns the data already, else to the account
 * `postgres`, which is created when the machine has none. Everybody else runs it as themselves.
 */
export async function postgresAccount(dataDir: string): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDir).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const existing = await lookUp('postgres');
  if (existing) return existing;
  try {
    await run('groupadd', ['--system', '--force', 'postgres'], { timeout: TIMEOUT_MS });
    await run('useradd', ['--system', '--gid', 'postgres', '--no-create-home', '--shell', '/bin/false', 'postgres'], {
      timeout: TIMEOUT_MS,
    });
  } catch (cause) {
    throw new EngineError(
      'PostgreSQL refuses to run as root and the account `postgres` could not be created. Run Lectern as an ordinary user, create that account, or set DATABASE_URL.',
      { cause },
    );
  }
  const created = await lookUp('postgres');
  if (created) return created;
  throw new EngineError(
    'The account `postgres` was created but cannot be looked up; run Lectern as an ordinary user instead.',
  );
}

async function lookUp(name: string): Promise<Account> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name], { timeout: TIMEOUT_MS })));
    return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
  } catch {
    return undefined;
  }
}

/**
 * Makes a command run as the account. When the account cannot enter one of the paths (a checkout in root's home, say),
 * it is run with the capability to pass closed folders (CAP_DAC_OVERRIDE), rather than opening somebody's home to all.
 */
export async function commandAs(
  account: Account,
  command: string,
  args: readonly string[],
  paths: readonly string[],
): Promise<AccountCommand> {
  if (account === undefined) return { command, args };
  const closed = await firstClosedFolder(account, paths);
  if (closed === undefined) return { command, args, ...account };
  try {
    const probe = setprivArgs(account);
    await run('setpriv', [...probe, 'true'], { timeout: TIMEOUT_MS });
    return { command: 'setpriv', args: [...probe, command, ...args] };
  } catch (cause) {
    throw new EngineError(
      `PostgreSQL refuses to run as root, and the account it is run as (uid ${account.uid}) cannot enter ${closed}. Run Lectern as an ordinary user, move it and LECTERN_HOME to folders everybody may enter, or set DATABASE_URL.`,
      { cause },
    );
  }
}

function setprivArgs(account: { readonly uid: number; readonly gid: number }): string[] {
  const ids = ['--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups'];
  return [...ids, '--inh-caps', '+dac_override', '--ambient-caps', '+dac_override', '--'];
}

async function firstClosedFolder(
  account: { readonly uid: number; readonly gid: number },
  paths: readonly string[],
): Promise<string | undefined> {
  for (const path of paths) {
    for (let folder = path; ; folder = dirname(folder)) {
      const { mode, uid, gid } = await stat(folder);
      const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
      if (((mode >> shift) & 1) === 0) return folder;
      if (folder === join(folder, '..')) break;
    }
  }
  return undefined;
}
