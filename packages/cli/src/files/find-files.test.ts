import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { splitIntoBatches } from '#files/batches';
import { findFiles } from '#files/find-files';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-cli-'));
  for (const sub of ['hr', '.git', 'node_modules']) await mkdir(join(folder, sub));
  for (const name of ['b.md', 'a.md', 'hr/leave.md', '.env', '.git/config', 'node_modules/x.md']) {
    await writeFile(join(folder, name), name);
  }
  await symlink(folder, join(folder, 'circle'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('findFiles', () => {
  it('names files by their path in the folder and skips hidden files, links and node_modules', async () => {
    const files = await findFiles([folder]);
    expect(files.map(({ path }) => path)).toEqual(['a.md', 'b.md', 'hr/leave.md']);
    expect(files[2]).toEqual({ file: join(folder, 'hr/leave.md'), path: 'hr/leave.md', sizeBytes: 11 });
  });

  it('includes a repeated file once, and rejects files with the same name and missing files', async () => {
    expect(await findFiles([folder, join(folder, 'a.md')])).toHaveLength(3);
    await writeFile(join(folder, 'hr/a.md'), 'other');
    await expect(findFiles([folder, join(folder, 'hr/a.md')])).rejects.toThrow('would both be uploaded as a.md');
    await expect(findFiles([join(folder, 'missing')])).rejects.toThrow('Cannot read');
  });
});

describe('splitIntoBatches', () => {
  it('includes all files, in order, within the upload limits', () => {
    const files = Array.from({ length: 1_201 }, (_, index) => ({ file: '', path: `${index}`, sizeBytes: 1_000_000 }));
    const batches = splitIntoBatches(files);
    expect(batches.flat()).toEqual(files);
    for (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(500);
      expect(batch.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBeLessThanOrEqual(256 * 1024 * 1024);
    }
  });
});
