import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readBeirCorpus } from '#corpus/beir';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-beir-'));
  const lines = (...records: unknown[]) => `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
  await writeFile(
    join(folder, 'corpus.jsonl'),
    lines({ _id: 'd1', title: 'One', text: 'first' }, { _id: 'd2', text: 'second', metadata: {} }),
  );
  await writeFile(join(folder, 'queries.jsonl'), lines({ _id: 'q1', text: 'which?' }, { _id: 'q2', text: 'why?' }));
  await writeFile(join(folder, 'qrels.tsv'), 'query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('readBeirCorpus', () => {
  it('reads documents, queries and judgments', async () => {
    const { documents, queries } = await readBeirCorpus(folder);
    expect(documents).toEqual([
      { id: 'd1', title: 'One', text: 'first' },
      { id: 'd2', title: '', text: 'second' },
    ]);
    expect(queries).toEqual([
      { id: 'q1', text: 'which?', relevant: new Set(['d1']) },
      { id: 'q2', text: 'why?', relevant: new Set() },
    ]);
  });

  it('reads only the first documents if a part is requested', async () => {
    const { documents, queries } = await readBeirCorpus(folder, { documents: 1, queries: 1 });
    expect([documents.length, queries.length]).toEqual([1, 1]);
  });

  it('skips queries for omitted documents', async () => {
    await writeFile(join(folder, 'qrels_second.tsv'), 'query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t1\n');
    const files = { queries: 'queries.jsonl', judgments: 'qrels_second.tsv' };
    const { queries } = await readBeirCorpus(folder, { documents: 1 }, files);
    expect(queries[0]?.relevant).toEqual(new Set(['d1']));
  });

  it('is named after its folder, without the path to it', async () => {
    const { name } = await readBeirCorpus(`${folder}/`);
    expect(name).toMatch(/^lectern-beir-\w+$/);
  });
});
