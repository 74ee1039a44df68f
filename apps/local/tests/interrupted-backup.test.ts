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
/** tar waits for somebody to write to it: a restore that is in the middle of its work for as long as a test wants. */
let endless: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  endless = join(folder.path, 'endless.tar');
  await promisify(execFile)('mkfifo', [endless]);
});

afterAll(async () => {
  // A killed restore leaves its tar behind: somebody who writes nothing ends it.
  await (await open(endless, 'r+')).close();
  await folder.remove();
});

const start = (home: string, file: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(new URL(`../src/${file}`, import.meta.url)), ...args], {
    env: { PATH: process.env.PATH, LECTERN_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** How a command ends, and what it says on standard error. */
async function ends(child: ChildProcess): Promise<{ code: number | null; said: string }> {
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  return { code, said };
}

/** A restore that has begun. */
async function begun(name: string) {
  const home = homeAt(join(folder.path, name));
  const child = start(home.root, 'backup/restore-command.ts', '--from', endless);
  const ended = ends(child);
  await waitUntil(async () => existsSync(home.restoring), {
    what: 'a restore at work',
    timeoutMs: 30_000,
  });
  return { home, child, ended };
}

describe('a restore', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('takes away what it began when it is broken off by %s', async (signal, code) => {
    const { home, child, ended } = await begun(signal);
    await writeFile(home.masterKeys, '1:half');
    child.kill(signal);
    expect(await ended).toEqual({ code, said: 'Interrupted. The incomplete output was removed.\n' });
    for (const path of [home.restoring, home.masterKeys, home.lock]) expect(existsSync(path)).toBe(false);
  });

  it('leaves a home that nothing starts with when it is killed, which the next restore clears', async () => {
    const { home, child, ended } = await begun('killed');
    await writeFile(home.masterKeys, '1:half');
    await mkdir(home.postgres);
    await writeFile(join(home.postgres, 'PG_VERSION'), '18\n');
    child.kill('SIGKILL');
    await ended;
    for (const file of ['main.ts', 'keys.ts']) {
      const { code, said } = await ends(start(home.root, file, 'list'));
      expect(code).toBe(1);
      expect(said).toMatch(/contains an incomplete restore.*npm run restore -- --from PATH/);
    }
    expect(existsSync(home.masterKeys)).toBe(true);
    const damaged = join(folder.path, 'damaged');
    await mkdir(damaged);
    const next = await ends(start(home.root, 'backup/restore-command.ts', '--from', damaged));
    expect(next.said).toMatch(/is not a complete backup/);
    for (const path of [home.restoring, home.masterKeys, home.postgres]) expect(existsSync(path)).toBe(false);
  });

  it('is refused beside another one', async () => {
    const { home, child, ended } = await begun('busy');
    const second = await ends(start(home.root, 'backup/restore-command.ts', '--from', folder.path));
    expect(second).toMatchObject({ code: 1, said: expect.stringContaining('Another process uses') });
    expect(existsSync(home.restoring)).toBe(true);
    child.kill('SIGINT');
    await ended;
  });
});

describe('a backup', () => {
  it('names the folder that is missing', async () => {
    const missing = join(folder.path, 'no', 'such');
    const { code, said } = await ends(start(folder.path, 'backup/backup-command.ts', '--to', join(missing, 'x.tar')));
    expect(code).toBe(1);
    expect(said).toBe(`There is no folder ${missing} to put the backup into. Make it first.\n`);
    expect(await readdir(folder.path)).not.toContain('no');
  });

  it('is refused beside the draft of one that was killed', async () => {
    const to = join(folder.path, 'y.tar');
    await writeFile(`${to}.draft`, '');
    const { said } = await ends(start(folder.path, 'backup/backup-command.ts', '--to', to));
    expect(said).toMatch(/y\.tar\.draft is left over from an interrupted backup/);
  });
});
