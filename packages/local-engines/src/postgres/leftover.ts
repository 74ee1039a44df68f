import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine } from '#process/identity';
import { stopPid } from '#process/stop-pid';

const STOP_TIMEOUT_MS = 15_000;
const BACKEND_TIMEOUT_MS = 1_000;

/**
 * Stops the PostgreSQL server that a killed launcher left running in this data directory.
 * postmaster.pid contains its pid in the first line and the data directory in the second. SIGINT is
 * PostgreSQL's fast shutdown. Removes a file with the pid of another program, because it would prevent
 * the start.
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
 * A backend in a long query survives a server that was killed with SIGKILL, and prevents the next start
 * ("pre-existing shared memory block is still in use"). Backends run in the data directory with the title
 * `postgres: …`. Only Linux is supported: elsewhere they are not stopped.
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
