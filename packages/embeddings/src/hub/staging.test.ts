import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { replaceFolder } from '#hub/staging';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-staging-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('replaceFolder', () => {
  it('leaves one folder and no files of others, whoever is faster', async () => {
    const target = join(folder, 'model');
    const parent = join(folder, 'downloads');
    for (let round = 0; round < 30; round += 1) {
      const sources = Array.from({ length: 8 }, (_, at) => join(parent, `${round}-${at}`));
      for (const source of sources) {
        await mkdir(source, { recursive: true });
        await writeFile(join(source, 'config.json'), '{}');
      }
      await Promise.all(sources.map((source) => replaceFolder(parent, source, target)));
      expect(await readdir(target)).toEqual(['config.json']);
      expect(await readdir(parent)).toEqual([]);
    }
  });
});
