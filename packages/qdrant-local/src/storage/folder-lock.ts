import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// A crash while a stale lock is replaced leaves this folder. It expires after this time.
const takeoverTimeoutMs = 10_000;
const processToken = randomUUID();

interface Owner {
  readonly pid: number;
  /** The start time of the process according to the system, because process ids are reused. */
  readonly startedAt: string | undefined;
  readonly token: string;
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

function processStart(pid: number): string | undefined {
  try {
    // Linux: field 22 of /proc/<pid>/stat, counted after the command, which may contain spaces and
    // parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function isRunning(owner: Owner): boolean {
  if (owner.pid === process.pid) return owner.token === processToken;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
  const startedAt = processStart(owner.pid);
  return startedAt === undefined || owner.startedAt === undefined || startedAt === owner.startedAt;
}

function readOwner(path: string): Owner | undefined {
  try {
    const owner: Partial<Owner> = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof owner.pid !== 'number' || typeof owner.token !== 'string') return undefined;
    return { pid: owner.pid, startedAt: owner.startedAt, token: owner.token };
  } catch {
    return undefined;
  }
}

function tryCreate(path: string): boolean {
  const owner: Owner = { pid: process.pid, startedAt: processStart(process.pid), token: processToken };
  try {
    writeFileSync(path, JSON.stringify(owner), { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function withTakeover<T>(folder: string, act: () => T): T | undefined {
  const guard = join(folder, 'LOCK.takeover');
  try {
    mkdirSync(guard);
  } catch {
    const age = Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > takeoverTimeoutMs) rmSync(guard, { recursive: true, force: true });
    return undefined;
  }
  try {
    return act();
  } finally {
    rmdirSync(guard);
  }
}

function takeOver(folder: string, path: string): boolean {
  // Only one process at a time can replace a stale lock. Otherwise two could remove each other's
  // lock.
  const taken = withTakeover(folder, () => {
    const owner = readOwner(path);
    if (owner && isRunning(owner)) return false;
    rmSync(path, { force: true });
    return tryCreate(path);
  });
  return taken === true;
}

/**
 * Locks a folder for this process. Replaces the lock of a process that has ended.
 *
 * @returns a function that releases the lock
 * @throws Error if a running process has the lock
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'LOCK');
  if (!tryCreate(path) && !takeOver(folder, path)) {
    const owner = readOwner(path);
    const who = owner ? `process ${owner.pid}` : 'another process';
    throw new Error(`${folder} is in use by ${who}: stop it, or choose another data folder`);
  }
  return () => {
    if (readOwner(path)?.token === processToken) rmSync(path, { force: true });
  };
}
