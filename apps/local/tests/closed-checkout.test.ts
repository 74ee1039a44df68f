import { execFile, spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ensureNatsServer } from '@lectern/local-engines';
import { temporaryFolder } from '@lectern/testing';
import { describeIf } from '@lectern/testing/skip';
import { REPOSITORY } from '#home-folder';
import { createApi } from './support/api.ts';
import { makeCheckout } from './support/make-checkout.ts';
import { NATS_CACHE } from './support/nats-cache.ts';
import { type Launcher, type TestHome, testHome } from './support/start-lectern.ts';

const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

async function start(home: TestHome, env: Record<string, string>): Promise<Launcher> {
  const launcher = await home.launch(env);
  await launcher.ready;
  return launcher;
}

async function stop(launcher: Launcher): Promise<void> {
  launcher.signal('SIGINT');
  expect(await launcher.ended).toBe(0);
}

const collectionsOf = async (home: TestHome) =>
  (await createApi(await home.credentials()).all('/api/v1/collections')).map(({ name }) => name);

describeIf(isRoot, 'needs root')('npm start as root in a folder with mode 700', () => {
  let folder: string;
  let checkout: string;
  let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
  let env: Record<string, string>;
  let home: TestHome;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    env = { LECTERN_POSTGRES_DIR: join(temporary.path, 'private') };
    folder = join(temporary.path, 'closed');
    await mkdir(folder, { mode: 0o700 });
    checkout = join(folder, 'lectern');
    await makeCheckout(checkout);
    home = await testHome({ root: join(checkout, '.lectern'), checkout });
  });

  afterAll(async () => {
    await home?.remove();
    await temporary.remove();
  });

  const command = (file: string, root: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [join(checkout, 'apps/local/src', file), ...args], {
      cwd: '/',
      env: { PATH: process.env.PATH, LECTERN_HOME: root, ...env },
      timeout: 120_000,
    });

  it('starts, prints where PostgreSQL stores its data, and gives it no capability', async () => {
    const launcher = await start(home, env);
    expect(launcher.output()).toContain(`PostgreSQL stores its data in ${env.LECTERN_POSTGRES_DIR}/postgres-`);
    const { pid = 0 } = (await home.state()).parts.PostgreSQL ?? {};
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    expect(status).not.toMatch(/^Uid:\t0\t/m);
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
      expect(status).toMatch(new RegExp(`^${set}:\t0+$`, 'm'));
    expect(await realpath(`/proc/${pid}/exe`)).not.toContain(checkout);
    const api = createApi(await home.credentials());
    await api.ok('POST', '/api/v1/collections', { name: 'Kept' });
    await stop(launcher);
  });

  it('lists its keys and backs up its data while it is stopped', async () => {
    const [pair] = JSON.parse((await command('keys.ts', home.path, 'list', '--json')).stdout);
    expect(pair).toMatchObject({ revokedAt: null });
    const archive = join(folder, 'backup.tar.gz');
    await command('backup/backup-command.ts', home.path, '--to', archive);
    const restored = join(folder, 'restored');
    await command('backup/restore-command.ts', restored, '--from', archive);
    const second = await testHome({ root: restored, checkout });
    const launchers = [await start(second, env), await start(home, env)];
    expect([await collectionsOf(second), await collectionsOf(home)]).toEqual([['Kept'], ['Kept']]);
    for (const launcher of launchers) await stop(launcher);
    expect(await readdir(env.LECTERN_POSTGRES_DIR ?? '')).toHaveLength(2);
    await second.remove();
  });

  it('starts with an empty database after the data folder was removed, and prints where the old one is', async () => {
    const removed = await testHome({ root: join(folder, 'removed'), checkout });
    let launcher = await start(removed, env);
    await createApi(await removed.credentials()).ok('POST', '/api/v1/collections', { name: 'Gone' });
    const place = dirname(await realpath(join(removed.path, 'postgres')));
    await stop(launcher);
    await rm(removed.path, { recursive: true });
    launcher = await start(removed, env);
    expect(await collectionsOf(removed)).toEqual([]);
    expect(launcher.output()).toContain(`earlier data folder at this path is still in ${place}`);
    await stop(launcher);
    await removed.remove();
  });

  it('rejects a restore that would overwrite data outside the data folder', async () => {
    const archive = join(folder, 'backup.tar.gz');
    await expect(command('backup/restore-command.ts', home.path, '--from', archive)).rejects.toThrow(
      /already contains data/,
    );
  });

  it('finds its data after the checkout was moved to a folder that PostgreSQL can enter, and back', async () => {
    const open = join(temporary.path, 'open');
    await mkdir(open, { mode: 0o711 });
    const there = join(open, 'lectern');
    await rename(checkout, there);
    const elsewhere = await testHome({ root: join(there, '.lectern'), checkout: there });
    let launcher = await start(elsewhere, env);
    expect(await collectionsOf(elsewhere)).toEqual(['Kept']);
    await stop(launcher);
    await chmod(open, 0o700);
    launcher = await start(elsewhere, env);
    expect(await collectionsOf(elsewhere)).toEqual(['Kept']);
    await stop(launcher);
    await elsewhere.remove();
  });
});

/** An account that may not run the programs in the checkout cannot start it. */
async function runsAsNobody(): Promise<boolean> {
  if (!isRoot) return false;
  const nats = await ensureNatsServer({ cacheDir: NATS_CACHE });
  const programs = [nats, process.execPath, join(REPOSITORY, 'apps/local/src')];
  return programs.every((path) => spawnSync('test', ['-x', path], { cwd: '/', ...NOBODY }).status === 0);
}

describeIf(await runsAsNobody(), 'needs root, and a checkout that the account nobody can read')(
  'npm start as an ordinary user',
  () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;

    beforeAll(async () => {
      folder = await temporaryFolder();
      await chmod(folder.path, 0o700);
      await chown(folder.path, NOBODY.uid, NOBODY.gid);
    });

    afterAll(() => folder.remove());

    it('works in a folder that only this user may enter, and finds its data again', async () => {
      const home = await testHome({ root: join(folder.path, '.lectern'), account: NOBODY });
      const env = { HOME: folder.path, TMPDIR: folder.path };
      let launcher = await start(home, env);
      expect(launcher.output()).not.toContain('PostgreSQL stores its data');
      await createApi(await home.credentials()).ok('POST', '/api/v1/collections', { name: 'Kept' });
      await stop(launcher);
      launcher = await start(home, env);
      expect(await collectionsOf(home)).toEqual(['Kept']);
      expect(dirname(await realpath(join(home.path, 'postgres')))).toBe(await realpath(home.path));
      await stop(launcher);
      await home.remove();
    });
  },
);
