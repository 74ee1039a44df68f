import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type ProcessRow, parseProcessTable } from '#probes/process-table';

const PS_TIMEOUT_MS = 10_000;

/** Lists all processes: from /proc on Linux, where `ps` may be missing, otherwise from `ps`. */
export async function readProcessTable(): Promise<ProcessRow[]> {
  if (process.platform === 'linux') return readProc();
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss='], { timeout: PS_TIMEOUT_MS });
  return parseProcessTable(stdout);
}

async function readProc(): Promise<ProcessRow[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const rows = await Promise.all(pids.map(readProcess));
  return rows.filter((row) => row !== undefined);
}

/** Undefined if it has ended in the meantime. */
async function readProcess(pid: number): Promise<ProcessRow | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, parent] = /^PPid:\s+(\d+)$/m.exec(status) ?? [];
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  if (parent === undefined) return undefined;
  return { pid, parent: Number(parent), rssBytes: Number(kibibytes ?? 0) * 1024 };
}
