import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Returns the pids of processes whose command line or (on Linux) environment contains the home. */
export async function processesOf(home: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-eo', 'pid=,args=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const found = await Promise.all(
    rows.map(async (row) => {
      const pid = Number(row.split(' ', 1)[0]);
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return row.includes(home) || environment.includes(home) ? pid : undefined;
    }),
  );
  return found.filter((pid) => pid !== undefined);
}
