import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine } from '#process/identity';
import { stopPid } from '#process/stop-pid';

const STOP_TIMEOUT_MS = 15_000;
const BACKEND_TIMEOUT_MS = 1_000;

/**
 * Ends the PostgreSQL server that a killed launcher left behind in this data directory. postmaster.pid names it: the pid
 * on its first line, the data directory on its second. SIGINT is PostgreSQL's fast shutdown. A file whose pid meanwhile
 * belongs to another program is removed, as it would keep the server from starting.
 */
export async function stopLeftoverPostmaster(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postmaster.pid');
  const [firstLine, namedDir] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const pid = Number(firstLine);
  if (!Number.isInteger(pid) || pid <= 0) return;
  if (namedDir === dataDir && commandLine(pid)?.includes(dataDir)) {
    await stopPid(pid, 'SIGINT', STOP_TIMEOUT_MS);
    return;
  }
  await stopOrphanedBackends(dataDir);
  await rm(file, { force: true });
}

/**
 * A backend in the middle of a long query outlives a server killed with SIGKILL, and no server starts while one is left
 * ("pre-existing shared memory block is still in use"). Backends work in the data directory and are titled `postgres: …`.
 * Elsewhere than on Linux they are left to notice by themselves.
 */
async function stopOrphanedBackends(dataDir: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      return folder === dataDir && commandLine(pid)?.startsWith('postgres:') ? [pid] : [];
    }),
  );
  await Promise.all(found.flat().map((pid) => stopPid(pid, 'SIGTERM', BACKEND_TIMEOUT_MS)));
}
