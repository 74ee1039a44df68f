import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startNats, startPostgres, waitUntil } from '#index';
import { processIdentity } from '#process/identity';
import { natsBinary, scratchFolder } from '../support/scratch.ts';

type Started = {
  postgres: { pid: number; url: string; port: number };
  nats: { pid: number };
  program: { pid: number };
};

const scratch = scratchFolder();
const launcherFile = fileURLToPath(new URL('../support/launcher.ts', import.meta.url));
let binary = '';

async function launch(folder: string) {
  const child = spawn(process.execPath, [launcherFile, folder, binary], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const started: Started = JSON.parse(String(line));
  return { child, started, pids: [started.postgres.pid, started.nats.pid, started.program.pid] };
}

/** The launcher's child process that is not an engine. */
function reaperOf(launcher: number, engines: number[]): number[] {
  const listed = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = listed.map((row) => row.trim().split(/\s+/).map(Number));
  return pairs.filter(([pid, parent]) => parent === launcher && !engines.includes(pid!)).map(([pid]) => pid!);
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  binary = await natsBinary();
});
afterAll(() => scratch.remove());

describe('a launcher that is killed with SIGKILL', () => {
  it('stops its engines and programs', async () => {
    const { child, pids } = await launch(join(scratch.path, 'reaped'));
    child.kill('SIGKILL');
    await waitUntil(() => pids.every((pid) => processIdentity(pid) === undefined), {
      what: `${pids} to end`,
      timeoutMs: 120_000,
    });
  });

  it('does not prevent the next start if the reaper was killed too, with the same data and port', async () => {
    const folder = join(scratch.path, 'orphaned');
    const { child, started, pids } = await launch(folder);
    await query(started.postgres.url, 'CREATE TABLE kept AS SELECT 1 AS n');
    const reapers = reaperOf(child.pid!, pids);
    expect(reapers).toHaveLength(1);
    child.kill('SIGSTOP');
    for (const pid of reapers) process.kill(pid, 'SIGKILL');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(pids.every((pid) => processIdentity(pid) !== undefined)).toBe(true);

    const postgres = await startPostgres({ dataDir: join(folder, 'pg'), port: started.postgres.port, durable: false });
    const nats = await startNats({ binary, storeDir: join(folder, 'nats') });
    try {
      expect(postgres.port).toBe(started.postgres.port);
      expect(await query(postgres.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
      expect(processIdentity(started.postgres.pid)).toBeUndefined();
      expect(processIdentity(started.nats.pid)).toBeUndefined();
    } finally {
      await Promise.all([postgres.stop(), nats.stop()]);
      process.kill(started.program.pid, 'SIGKILL');
    }
  });

  it('replaces a reaper that was killed while the launcher is running', async () => {
    const { child, pids } = await launch(join(scratch.path, 'replaced'));
    const [reaper] = reaperOf(child.pid!, pids);
    process.kill(reaper!, 'SIGKILL');
    await waitUntil(() => reaperOf(child.pid!, pids).some((pid) => pid !== reaper), {
      what: 'a new reaper',
      timeoutMs: 120_000,
    });
    child.kill('SIGKILL');
    await waitUntil(() => pids.every((pid) => processIdentity(pid) === undefined), {
      what: `${pids} to end`,
      timeoutMs: 120_000,
    });
  });
});
