import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readPreviousRun, writeRun } from '#eval/result-files';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-eval-'));
});

afterAll(() => rm(folder, { recursive: true }));

const run = (corpus: string) => ({
  corpus,
  documents: 1,
  takenAt: '2026-01-01T00:00:00.000Z',
  settled: true,
  modes: [],
});

describe('result files', () => {
  it('are read by the next run of the same corpus', async () => {
    expect(await readPreviousRun(folder, 'a')).toBeUndefined();
    await writeRun(folder, run('a'), '# a');
    expect(await readPreviousRun(folder, 'a')).toEqual(run('a'));
    expect(await readPreviousRun(folder, 'b')).toBeUndefined();
  });

  it('are written to the given path, with the report next to them', async () => {
    const { json, markdown } = await writeRun(folder, run('c'), '# c', join(folder, 'mine', 'c.json'));
    expect([json, markdown]).toEqual([join(folder, 'mine', 'c.json'), join(folder, 'mine', 'c.md')]);
    expect(await readFile(markdown, 'utf8')).toBe('# c');
    expect(await readPreviousRun(folder, 'c')).toEqual(run('c'));
  });

  it('are named in the error if they are invalid', async () => {
    await writeRun(folder, run('d'), '# d');
    await writeFile(join(folder, 'd', 'last.json'), '{}');
    await expect(readPreviousRun(folder, 'd')).rejects.toThrow(/last\.json was not written by this version/);
  });
});
