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

/** The right to run the one process a pid file stands for, held by this launcher. */
export type PidFileClaim = {
  /** Notes the process that was started under this claim. */
  record(pid: number): void;
  /** Gives the right up; called when the process has ended. */
  release(): void;
};

/** How a process that a killed launcher left behind is ended. */
export type LeftoverPolicy = { readonly stopSignal: NodeJS.Signals; readonly timeoutMs: number };

/**
 * Claims a pid file. A process left behind by a launcher that is dead is stopped first; while its launcher lives the
 * claim is refused with an `EngineError`, so a second start never pulls the engine from under the first.
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
      throw new EngineError(`${path}: ${what} already runs under process ${found.owner.pid}. Stop that one first.`);
    }
    if (found?.child && isRunning(found.child)) await stopPid(found.child.pid, leftover.stopSignal, leftover.timeoutMs);
    rmSync(path, { force: true });
  }
  throw new EngineError(`${path}: other launchers keep claiming this file; start only one`);
}

function recordOf(owner: PidRecord['owner'], pid: number): PidRecord {
  const identity = processIdentity(pid);
  return identity === undefined ? { owner } : { owner, child: { pid, identity } };
}

function isRunning(known: PidRecord['owner']): boolean {
  return processIdentity(known.pid) === known.identity;
}

/** `link` fails when the name exists and never shows half a file. */
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
