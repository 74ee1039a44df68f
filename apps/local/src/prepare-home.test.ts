import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@lectern/testing';
import { itIf } from '@lectern/testing/skip';
import { homeAt } from '#home';
import { prepareHome } from '#prepare-home';

describe('prepareHome', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  afterAll(() => folder.remove());

  it('creates a home that other accounts cannot list', async () => {
    const home = homeAt(join(folder.path, 'some', 'home'));
    await prepareHome(home);
    await prepareHome(home);
    expect((await stat(home.root)).mode & 0o066).toBe(0);
    for (const path of [home.logs, home.blobs]) expect((await stat(path)).mode & 0o077).toBe(0);
  });

  it('rejects a home that is a file', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    for (const root of [file, join(file, 'home')])
      await expect(prepareHome(homeAt(root))).rejects.toThrow(/is a file. Set LECTERN_HOME to a folder/);
  });

  itIf(process.platform === 'linux', 'needs /proc')(
    'rejects a file system that does not allow new folders',
    async () => {
      await expect(prepareHome(homeAt('/proc/lectern/home'))).rejects.toThrow(/cannot store its data in /);
    },
  );

  itIf(process.getuid?.() !== 0, 'root can write everywhere')(
    'rejects a folder that this account cannot write to',
    async () => {
      const closed = homeAt(join(folder.path, 'closed'));
      await prepareHome(closed);
      await chmod(closed.root, 0o500);
      await expect(prepareHome(closed)).rejects.toThrow(/cannot write to it/);
    },
  );
});
