import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { type Engine, startPostgres } from '#index';
import { postgresAccount } from '#postgres/account';
import { accessiblePrograms, locatePostgres, programsIn } from '#postgres/binaries';
import { abandonedLocations, locateData, removePostgres, removeWithData } from '#postgres/data-location';
import { firstInaccessible } from '#postgres/first-inaccessible';
import { scratchFolder } from '../support/scratch.ts';

const run = promisify(execFile);
const START_ONCE = fileURLToPath(new URL('../support/start-once.ts', import.meta.url));
const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
/** Only root runs PostgreSQL as another account. */
const describeAsRoot = isRoot ? describe : describe.skip;
const itAsRoot = isRoot ? it : it.skip;

const scratch = scratchFolder();
/** True if there is a tmpfs: a move to it is a copy. */
const hasOtherFileSystem = isRoot && existsSync('/dev/shm') && statSync('/dev/shm').dev !== statSync(scratch.path).dev;
/** True if the account nobody can read the checkout. */
const runsAsNobody = isRoot && (await firstInaccessible(NOBODY, [{ path: START_ONCE, how: 'read' }])) === undefined;
const running: Engine[] = [];
const previousSetting = process.env.LECTERN_POSTGRES_DIR;
/** The private folder in which root stores data; each test has its own. */
let privateFolder: string;
/** A folder with mode 700, like /root. */
let closed: string;

async function start(dataDir: string): Promise<Engine> {
  const engine = await startPostgres({ dataDir, durable: false });
  running.push(engine);
  return engine;
}

async function query(engine: Engine, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: engine.url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const locationsIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

beforeEach(() => {
  const folder = mkdtempSync(join(scratch.path, 'test-'));
  if (isRoot) chmodSync(folder, 0o711);
  privateFolder = join(folder, 'private');
  closed = join(folder, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  process.env.LECTERN_POSTGRES_DIR = privateFolder;
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((engine) => engine.stop()));
});

afterAll(async () => {
  if (previousSetting === undefined) delete process.env.LECTERN_POSTGRES_DIR;
  else process.env.LECTERN_POSTGRES_DIR = previousSetting;
  await scratch.remove();
});

describe('PostgreSQL in a folder with mode 700', () => {
  it('starts, and finds its data after a restart', async () => {
    const dataDir = join(closed, 'home', 'postgres');
    const first = await start(dataDir);
    await query(first, 'CREATE TABLE note AS SELECT 7 AS n');
    await first.stop();
    expect(await query(await start(dataDir), 'SELECT n FROM note')).toEqual([{ n: 7 }]);
  });

  itAsRoot(
    'runs as an account without capabilities, on data that only this account can read (needs root)',
    async () => {
      const dataDir = join(closed, 'postgres');
      const { pid } = await start(dataDir);
      const account = await postgresAccount(realpathSync(dataDir));
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(status).toMatch(new RegExp(`^Uid:(\\t${account?.uid}){4}$`, 'm'));
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
        expect(status).toMatch(new RegExp(`^${set}:\\t0+$`, 'm'));
      expect(status).toMatch(/^Groups:\t? ?$/m);
      expect(dirname(dirname(realpathSync(dataDir)))).toBe(realpathSync(privateFolder));
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
      const place = statSync(dirname(realpathSync(dataDir)));
      expect([place.uid, place.gid, place.mode & 0o777]).toEqual([0, account?.gid, 0o710]);
      expect(statSync(privateFolder).mode & 0o777).toBe(0o711);
      expect(statSync(`${realpathSync(dataDir)}.password`).mode & 0o777).toBe(0o600);
    },
  );

  itAsRoot('separates the data of two folders (needs root)', async () => {
    const [one, two] = [await start(join(closed, 'a', 'postgres')), await start(join(closed, 'b', 'postgres'))];
    await query(one, 'CREATE TABLE mine AS SELECT 1 AS n');
    await query(two, 'CREATE TABLE mine AS SELECT 2 AS n');
    expect([await query(one, 'SELECT n FROM mine'), await query(two, 'SELECT n FROM mine')]).toEqual([
      [{ n: 1 }],
      [{ n: 2 }],
    ]);
  });

  itAsRoot('moves the data and the password of a folder that was closed later (needs root)', async () => {
    const open = join(closed, '..', 'open');
    mkdirSync(open, { mode: 0o711 });
    const first = await start(join(open, 'postgres'));
    await query(first, 'CREATE TABLE note AS SELECT 7 AS n');
    await first.stop();
    renameSync(open, join(closed, 'moved'));
    const second = await start(join(closed, 'moved', 'postgres'));
    expect(await query(second, 'SELECT n FROM note')).toEqual([{ n: 7 }]);
    await second.stop();
    renameSync(join(closed, 'moved'), open);
    expect(await query(await start(join(open, 'postgres')), 'SELECT n FROM note')).toEqual([{ n: 7 }]);
    expect(locationsIn(privateFolder)).toHaveLength(1);
  });

  (hasOtherFileSystem ? it : it.skip)('moves the data to another file system (needs root and /dev/shm)', async () => {
    const shared = mkdtempSync('/dev/shm/lectern-test-');
    chmodSync(shared, 0o711);
    process.env.LECTERN_POSTGRES_DIR = shared;
    const home = join(closed, '..', 'open');
    mkdirSync(home, { mode: 0o711 });
    const first = await start(join(home, 'postgres'));
    await query(first, 'CREATE TABLE note AS SELECT 7 AS n');
    await first.stop();
    chmodSync(home, 0o700);
    const second = await start(join(home, 'postgres'));
    expect(await query(second, 'SELECT n FROM note')).toEqual([{ n: 7 }]);
    expect(realpathSync(join(home, 'postgres')).startsWith(shared)).toBe(true);
    expect(readdirSync(home).sort()).toEqual(['postgres', 'postgres.place']);
    await second.stop();
    await removeWithData(home);
    expect(readdirSync(shared)).toEqual([]);
    rmSync(shared, { recursive: true });
  });

  (runsAsNobody ? it : it.skip)('starts for an ordinary user inside the folder of that user (needs root)', async () => {
    chownSync(closed, NOBODY.uid, NOBODY.gid);
    const dataDir = join(closed, 'postgres');
    for (const _ of ['first start', 'second start']) {
      const { stdout } = await run(process.execPath, [START_ONCE, dataDir], {
        ...NOBODY,
        cwd: '/',
        env: { PATH: process.env.PATH, LECTERN_POSTGRES_DIR: privateFolder },
        timeout: 120_000,
      });
      expect(JSON.parse(stdout)).toMatchObject({ uid: NOBODY.uid });
    }
    expect(lstatSync(dataDir)).toMatchObject(NOBODY);
    expect(lstatSync(dataDir).isDirectory()).toBe(true);
    expect(locationsIn(privateFolder)).toEqual([]);
  });
});

describeAsRoot('the location of a data directory (needs root)', () => {
  /** A minimal data directory with a marker. */
  function makeData(dataDir: string, mark: string): void {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(join(dataDir, 'PG_VERSION'), '18\n');
    writeFileSync(join(dataDir, 'mark'), mark);
    writeFileSync(`${dataDir}.password`, `of ${mark}`);
    for (const path of [dataDir, join(dataDir, 'PG_VERSION'), join(dataDir, 'mark')])
      chownSync(path, NOBODY.uid, NOBODY.gid);
  }

  const markOf = (dataDir: string) => [
    readFileSync(join(dataDir, 'mark'), 'utf8'),
    readFileSync(`${dataDir}.password`, 'utf8'),
  ];

  it('is rejected while its link is lost, and found when the link is restored', async () => {
    const link = join(closed, 'postgres');
    makeData(link, 'one');
    const { dataDir } = await locateData(link);
    renameSync(link, `${link}-lost`);
    await expect(locateData(link)).rejects.toThrow(`To use it again, run \`ln -s ${dataDir} ${link}\``);
    process.env.LECTERN_POSTGRES_DIR = `${privateFolder}-2`;
    await expect(locateData(link)).rejects.toThrow(`To use it again, run \`ln -s ${dataDir} ${link}\``);
    symlinkSync(dataDir, link);
    expect((await locateData(link)).dataDir).toBe(dataDir);
  });

  it('is new for a new folder at the path of a removed one, and the old location is still reported', async () => {
    const home = join(closed, 'home');
    const link = join(home, 'postgres');
    makeData(link, 'one');
    const first = await locateData(link);
    expect(await abandonedLocations(link)).toEqual([]);
    rmSync(home, { recursive: true });
    const second = await locateData(link);
    expect(existsSync(second.dataDir)).toBe(false);
    expect(second.dataDir).not.toBe(first.dataDir);
    makeData(second.dataDir, 'two');
    chmodSync(dirname(second.dataDir), 0o711);
    expect((await locateData(link)).dataDir).toBe(second.dataDir);
    expect(await abandonedLocations(link)).toEqual([dirname(first.dataDir)]);
    expect(markOf(first.dataDir)).toEqual(['one', 'of one']);
  });

  it('belongs to a moved folder, even if a new one was started at the old path', async () => {
    const link = join(closed, 'a', 'postgres');
    makeData(link, 'one');
    const { dataDir } = await locateData(link);
    renameSync(join(closed, 'a'), join(closed, 'b'));
    makeData((await locateData(link)).dataDir, 'two');
    const moved = join(closed, 'b', 'postgres');
    expect((await locateData(moved)).dataDir).toBe(dataDir);
    expect(await abandonedLocations(link)).toEqual([]);
    renameSync(moved, `${moved}-lost`);
    await expect(locateData(moved)).rejects.toThrow(`To use it again, run \`ln -s ${dataDir} ${moved}\``);
  });

  it('is rejected if the data is gone, instead of starting with an empty database', async () => {
    const link = join(closed, 'postgres');
    makeData(link, 'one');
    const { dataDir } = await locateData(link);
    renameSync(dirname(dataDir), join(closed, 'away'));
    await expect(locateData(link)).rejects.toThrow(/is a link to .*, and that does not exist/);
    renameSync(join(closed, 'away'), dirname(dataDir));
    expect(markOf((await locateData(link)).dataDir)).toEqual(['one', 'of one']);
  });

  it('is rejected for a copy of the folder, and accepted when the original is gone', async () => {
    makeData(join(closed, 'a', 'postgres'), 'one');
    const { dataDir } = await locateData(join(closed, 'a', 'postgres'));
    cpSync(join(closed, 'a'), join(closed, 'b'), { recursive: true, verbatimSymlinks: true });
    await expect(locateData(join(closed, 'b', 'postgres'))).rejects.toThrow(/is a copy of .*a\/postgres/);
    rmSync(join(closed, 'a'), { recursive: true });
    expect((await locateData(join(closed, 'b', 'postgres'))).dataDir).toBe(dataDir);
  });

  it.each(['moved', 'linked'])('is found after a move that was killed when the data was already %s', async (step) => {
    const link = join(closed, 'postgres');
    makeData(link, 'one');
    const { dataDir } = await locateData(link);
    writeFileSync(join(dirname(dataDir), 'place.json'), JSON.stringify({ link, isLinked: false }));
    if (step === 'moved') rmSync(link);
    expect((await locateData(link)).dataDir).toBe(dataDir);
    expect(realpathSync(link)).toBe(dataDir);
    expect(locationsIn(privateFolder)).toHaveLength(1);
  });

  it('is created again after a move that was killed during the copy', async () => {
    const link = join(closed, 'postgres');
    makeData(link, 'one');
    const draft = join(privateFolder, 'postgres-draft');
    mkdirSync(join(draft, 'postgres.copy'), { recursive: true });
    chmodSync(privateFolder, 0o711);
    writeFileSync(join(draft, 'place.json'), JSON.stringify({ link, isLinked: false }));
    expect(markOf((await locateData(link)).dataDir)).toEqual(['one', 'of one']);
    expect(existsSync(draft)).toBe(false);
  });

  it('is removed with its link, but not with the link of a copy', async () => {
    makeData(join(closed, 'a', 'postgres'), 'one');
    const { dataDir } = await locateData(join(closed, 'a', 'postgres'));
    cpSync(join(closed, 'a'), join(closed, 'b'), { recursive: true, verbatimSymlinks: true });
    await removePostgres(join(closed, 'b', 'postgres'));
    expect(markOf(dataDir)).toEqual(['one', 'of one']);
    await removePostgres(join(closed, 'a', 'postgres'));
    expect(locationsIn(privateFolder)).toEqual([]);
  });

  it.each<[string, () => void, RegExp]>([
    ['a symbolic link', () => symlinkSync('/etc', privateFolder), /is a symbolic link/],
    ["another account's", () => chownSync(makePrivate(), 1, 1), /belongs to the account with uid 1/],
    ['writable by others', () => chmodSync(makePrivate(), 0o777), /other accounts can change/],
    ['in a folder that others can change', () => chmodSync(dirname(makePrivate()), 0o777), /other accounts can change/],
    ['closed to the account', () => chmodSync(makePrivate(), 0o700), /cannot enter it/],
    ['a file', () => writeFileSync(privateFolder, ''), /is not a folder/],
  ])('rejects a private folder that is %s, and does not read from it', async (_, makeUnsafe, why) => {
    makeUnsafe();
    const link = join(closed, 'postgres');
    makeData(link, 'one');
    await expect(locateData(link)).rejects.toThrow(why);
    expect(markOf(link)).toEqual(['one', 'of one']);
  });

  const makePrivate = () => {
    mkdirSync(privateFolder);
    return privateFolder;
  };

  it('ignores a location that another account created', async () => {
    const link = join(closed, 'postgres');
    const forged = join(makePrivate(), 'postgres-forged');
    makeData(join(forged, 'postgres'), 'forged');
    writeFileSync(join(forged, 'place.json'), JSON.stringify({ link, isLinked: false }));
    chownSync(forged, NOBODY.uid, NOBODY.gid);
    expect((await locateData(link)).dataDir).not.toContain('forged');
  });

  it('never replaces data with an empty directory after mode changes, moves and kills', async () => {
    const step = fc.constantFrom('close', 'open', 'move', 'kill', 'locate', 'loseLink');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const folder = mkdtempSync(join(dirname(closed), 'run-'));
        chmodSync(folder, 0o711);
        let home = join(folder, 'home-0');
        const link = () => join(home, 'postgres');
        makeData(link(), folder);
        for (const [index, action] of steps.entries()) {
          if (action === 'close') chmodSync(folder, 0o700);
          if (action === 'open') chmodSync(folder, 0o711);
          if (action === 'move') {
            renameSync(home, join(folder, `home-${index}`));
            home = join(folder, `home-${index}`);
          }
          const isLink = lstatSync(link(), { throwIfNoEntry: false })?.isSymbolicLink() === true;
          if (action === 'kill' && isLink) {
            const place = dirname(realpathSync(link()));
            writeFileSync(join(place, 'place.json'), JSON.stringify({ link: link(), isLinked: false }));
            rmSync(link());
          }
          if (action === 'loseLink' && isLink) rmSync(link());
          if (action !== 'locate') continue;
          const located = await locateData(link()).catch(String);
          if (typeof located === 'string') expect(located).toContain('To use it again');
          else expect(markOf(located.dataDir)).toEqual([folder, `of ${folder}`]);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("PostgreSQL's programs", () => {
  const isRunnable = async (programs: string) => {
    const account = await postgresAccount(scratch.path);
    const { stdout } = await run(programsIn(programs).postgres, ['--version'], {
      ...account,
      cwd: '/',
      timeout: 60_000,
    });
    return stdout.startsWith('postgres (PostgreSQL)');
  };

  /** The package after `npm ci` with umask 077, or in a folder with mode 700. */
  async function closedPackage(): Promise<{ root: string; version: string }> {
    const { root, version } = await locatePostgres();
    const copy = join(closed, 'native');
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
    return { root: copy, version };
  }

  const dataDir = () => join(closed, '..', 'postgres');
  const copies = () => readdirSync(join(closed, '..')).filter((name) => name.startsWith('postgres.programs-'));

  it('are used in place if the account can run them', async () => {
    const binaries = await locatePostgres();
    const account = await postgresAccount(scratch.path);
    // A checkout in a closed folder needs a copy.
    const isAccessible = (await firstInaccessible(account, [{ path: binaries.root, how: 'list' }])) === undefined;
    const found = await accessiblePrograms(binaries, account, dataDir());
    expect(found === binaries.root).toBe(isAccessible);
    expect(await isRunnable(found)).toBe(true);
  });

  itAsRoot.each(['in a folder with mode 700', 'installed with umask 077'])(
    'are copied so that only the account can run them if they are %s',
    async (how) => {
      const binaries = await closedPackage();
      if (how.includes('umask')) {
        chmodSync(closed, 0o711);
        await run('chmod', ['-R', 'go-rwx', binaries.root]);
      }
      const account = await postgresAccount(scratch.path);
      const copy = await accessiblePrograms(binaries, account, dataDir());
      expect(copy).not.toBe(binaries.root);
      expect(await isRunnable(copy)).toBe(true);
      const { uid, gid, mode } = statSync(programsIn(copy).postgres);
      expect([uid, gid, mode & 0o777]).toEqual([0, account?.gid, 0o750]);
      expect(await accessiblePrograms(binaries, account, dataDir())).toBe(copy);
    },
  );

  itAsRoot('replace a copy that is damaged or has another version (needs root)', async () => {
    const binaries = await closedPackage();
    const account = await postgresAccount(scratch.path);
    const copy = await accessiblePrograms(binaries, account, dataDir());
    truncateSync(programsIn(copy).postgres, 10);
    expect(await isRunnable(await accessiblePrograms(binaries, account, dataDir()))).toBe(true);
    mkdirSync(`${copy}-killed`);
    const next = await accessiblePrograms({ ...binaries, version: '99.0' }, account, dataDir());
    expect(copies()).toEqual(['postgres.programs-99.0']);
    expect(await isRunnable(next)).toBe(true);
    chmodSync(closed, 0o711);
    expect(await accessiblePrograms(binaries, account, dataDir())).toBe(binaries.root);
    expect(copies()).toEqual([]);
  });
});
