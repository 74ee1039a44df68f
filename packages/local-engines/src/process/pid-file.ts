import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { EngineError } from '#process/engine-error';
import { processIdentity } from '#process/identity';
import { stopPid } from '#process/stop-pid';
import { codeOf } from '#process/thrown';

const processSchema = z.object({ pid: z.number().int().positive(), identity: z.string() });
const recordSchema = z.object({ owner: processSchema, child: processSchema.optional() });
type PidRecord = z.infer<typeof recordSchema>;

/** The exclusive right of this launcher to run the process of a pid file. */
export type PidFileClaim = {
  /** Records the started process. */
  record(pid: number): void;
  /** Releases the claim after the process has ended. */
  release(): void;
};

/** How to stop a process that a killed launcher left behind. */
export type LeftoverPolicy = { readonly stopSignal: NodeJS.Signals; readonly timeoutMs: number };

/**
 * Claims a pid file. Stops a process that a dead launcher left behind. Throws an `EngineError` while the
 * launcher of the process is running.
 */
export async function claimPidFile(path: string, leftover: LeftoverPolicy): Promise<PidFileClaim> {
  mkdirSync(dirname(path), { recursive: true });
  const owner = { pid: process.pid, identity: processIdentity(process.pid) ?? '' };
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (createExclusively(path, { owner }))
      return { record: (pid) => replace(path, recordOf(owner, pid)), release: () => rmSync(path, { force: true }) };
    const found = readRecord(path);
    if (found && isRunning(found.owner)) {
      const what = found.child ? `process ${found.child.pid}` : 'its engine';
      throw new EngineError(
        `${path}: ${what} is already running under process ${found.owner.pid}. Stop that process first.`,
      );
    }
    if (found?.child && isRunning(found.child)) await stopPid(found.child.pid, leftover.stopSignal, leftover.timeoutMs);
    rmSync(path, { force: true });
  }
  throw new EngineError(`${path}: other launchers keep claiming this file. Start only one.`);
}

function recordOf(owner: PidRecord['owner'], pid: number): PidRecord {
  const identity = processIdentity(pid);
  return identity === undefined ? { owner } : { owner, child: { pid, identity } };
}

function isRunning({ pid, identity }: PidRecord['owner']): boolean {
  return processIdentity(pid) === identity;
}

/** `link` fails if the file exists, and is atomic. */
function createExclusively(path: string, record: PidRecord): boolean {
  const draft = writeDraft(path, record);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function replace(path: string, record: PidRecord): void {
  renameSync(writeDraft(path, record), path);
}

function writeDraft(path: string, record: PidRecord): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  return draft;
}

function readRecord(path: string): PidRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
