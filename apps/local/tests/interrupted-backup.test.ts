import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/local-engines';
import { temporaryFolder } from '@lectern/testing';
import { homeAt } from '#home';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** A named pipe from which tar reads, so that a restore runs until a test ends it. */
let endless: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  endless = join(folder.path, 'endless.tar');
  await promisify(execFile)('mkfifo', [endless]);
});

afterAll(async () => {
  // A killed restore leaves its tar process behind, which ends when the pipe is closed.
  await (await open(endless, 'r+')).close();
  await folder.remove();
});

const start = (home: string, file: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(new URL(`../src/${file}`, import.meta.url)), ...args], {
    env: { PATH: process.env.PATH, LECTERN_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Waits for the end of a command. Returns its exit code and standard error. */
async function untilEnded(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  return { code, stderr };
}

/** Starts a restore that does not finish. */
async function startRestore(name: string) {
  const home = homeAt(join(folder.path, name));
  const child = start(home.root, 'backup/restore-command.ts', '--from', endless);
  const ended = untilEnded(child);
  await waitUntil(async () => existsSync(home.restoring), {
    what: 'a running restore',
    timeoutMs: 30_000,
  });
  return { home, child, ended };
}

describe('a restore', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('removes its incomplete output when it is interrupted by %s', async (signal, code) => {
    const { home, child, ended } = await startRestore(signal);
    await writeFile(home.masterKeys, '1:half');
    child.kill(signal);
    expect(await ended).toEqual({ code, stderr: 'Interrupted. The incomplete output was removed.\n' });
    for (const path of [home.restoring, home.masterKeys, home.lock]) expect(existsSync(path)).toBe(false);
  });

  it('leaves a home that does not start if it is killed, and the next restore clears it', async () => {
    const { home, child, ended } = await startRestore('killed');
    await writeFile(home.masterKeys, '1:half');
    await mkdir(home.postgres);
    await writeFile(join(home.postgres, 'PG_VERSION'), '18\n');
    child.kill('SIGKILL');
    await ended;
    for (const file of ['main.ts', 'keys.ts']) {
      const { code, stderr } = await untilEnded(start(home.root, file, 'list'));
      expect(code).toBe(1);
      expect(stderr).toMatch(/contains an incomplete restore.*npm run restore -- --from PATH/);
    }
    expect(existsSync(home.masterKeys)).toBe(true);
    const damaged = join(folder.path, 'damaged');
    await mkdir(damaged);
    const next = await untilEnded(start(home.root, 'backup/restore-command.ts', '--from', damaged));
    expect(next.stderr).toMatch(/is not a complete backup/);
    for (const path of [home.restoring, home.masterKeys, home.postgres]) expect(existsSync(path)).toBe(false);
  });

  it('is rejected while another one runs', async () => {
    const { home, child, ended } = await startRestore('busy');
    const second = await untilEnded(start(home.root, 'backup/restore-command.ts', '--from', folder.path));
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('Another process uses') });
    expect(existsSync(home.restoring)).toBe(true);
    child.kill('SIGINT');
    await ended;
  });
});

describe('a backup', () => {
  it('names the missing folder', async () => {
    const missing = join(folder.path, 'no', 'such');
    const { code, stderr } = await untilEnded(
      start(folder.path, 'backup/backup-command.ts', '--to', join(missing, 'x.tar')),
    );
    expect(code).toBe(1);
    expect(stderr).toBe(`The folder ${missing} does not exist. Create it first.\n`);
    expect(await readdir(folder.path)).not.toContain('no');
  });

  it('is rejected next to the draft of a killed backup', async () => {
    const to = join(folder.path, 'y.tar');
    await writeFile(`${to}.draft`, '');
    const { stderr } = await untilEnded(start(folder.path, 'backup/backup-command.ts', '--to', to));
    expect(stderr).toMatch(/y\.tar\.draft is left over from an interrupted backup/);
  });
});
