import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@lectern/testing';
import { pack, unpack } from '#backup/archive';

describe('pack', () => {
  const { signal } = new AbortController();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, 'data'));
    await writeFile(join(folder.path, 'data', 'master-keys'), '1:secret');
  });

  afterAll(() => folder.remove());

  const packed = (file: string, from = 'data') => pack(join(folder.path, from), join(folder.path, file), signal);

  it('leaves no temporary file with secrets when it fails', async () => {
    await mkdir(join(folder.path, 'taken.tar', 'by-a-folder'), { recursive: true });
    await expect(packed('taken.tar')).rejects.toThrow(/EISDIR|ENOTEMPTY/);
    await expect(packed('b.tar.gz', 'missing')).rejects.toThrow(/tar failed.*missing/s);
    expect((await readdir(folder.path)).sort()).toEqual(['data', 'taken.tar']);
  });

  it.each(['c.tar', 'c.tar.gz', 'c.tgz'])('creates %s, which unpack can read', async (file) => {
    await packed(file);
    const to = join(folder.path, `${file}.unpacked`);
    await mkdir(to);
    await unpack(join(folder.path, file), to, signal);
    expect(await readdir(to)).toEqual(['master-keys']);
  });
});
