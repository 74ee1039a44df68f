import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EngineError } from '#process/engine-error';

const run = promisify(execFile);
const TIMEOUT_MS = 10_000;

/** The account that PostgreSQL runs as. Undefined for the account of the launcher. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

/**
 * Returns the account to run PostgreSQL as, because it refuses to run as root: the owner of the data,
 * or the account `postgres`, which is created if missing. Returns undefined if this process is not root.
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
    'The account `postgres` was created but cannot be found. Run Lectern as an ordinary user instead.',
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
