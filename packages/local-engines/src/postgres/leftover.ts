import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine } from '#process/identity';
import { stopPid } from '#process/stop-pid';

const STOP_TIMEOUT_MS = 15_000;

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
  const isOurs = namedDir === dataDir && commandLine(pid)?.includes(dataDir);
  if (isOurs) await stopPid(pid, 'SIGINT', STOP_TIMEOUT_MS);
  else await rm(file, { force: true });
}
