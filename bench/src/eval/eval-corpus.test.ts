import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readEvalCorpus } from '#eval/eval-corpus';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-eval-'));
  const lines = (...values: object[]) => values.map((value) => JSON.stringify(value)).join('\n');
  const documents = ['d1', 'd2'].map((_id) => ({ _id, title: _id, text: 'text' }));
  const queries = ['q1', 'q2', 'q3'].map((_id) => ({ _id, text: _id }));
  await writeFile(join(folder, 'corpus.jsonl'), lines(...documents, { _id: 'empty', title: ' ', text: '' }));
  await writeFile(join(folder, 'queries.jsonl'), lines(...queries));
  await writeFile(join(folder, 'qrels.tsv'), 'query-id\tcorpus-id\tscore\nq2\td1\t2\nq2\td2\t0\nq3\td2\t1\n');
  await writeFile(join(folder, 'queries_train.jsonl'), lines({ _id: 't1', text: 't1' }));
  await writeFile(join(folder, 'qrels_train.tsv'), 'query-id\tcorpus-id\tscore\nt1\td2\t1\n');
});

afterAll(() => rm(folder, { recursive: true }));

describe('readEvalCorpus', () => {
  it('keeps judged queries and grades, and skips empty documents', async () => {
    const { documents, queries } = await readEvalCorpus(folder);
    expect(documents.map(({ id }) => id)).toEqual(['d1', 'd2']);
    expect(queries.map(({ id, judgments }) => [id, [...judgments]])).toEqual([
      ['q2', [['d1', 2]]],
      ['q3', [['d2', 1]]],
    ]);
  });

  it('counts only judged queries if a number is given', async () => {
    const { queries } = await readEvalCorpus(folder, { queries: 1 });
    expect(queries.map(({ id }) => id)).toEqual(['q2']);
  });

  it('skips queries for omitted documents', async () => {
    const { queries } = await readEvalCorpus(folder, { documents: 1 });
    expect(queries.map(({ id }) => id)).toEqual(['q2']);
  });

  it('reads another split under its own name', async () => {
    const { name, queries } = await readEvalCorpus(folder, { split: 'train' });
    expect(name).toMatch(/_train$/);
    expect(queries.map(({ id }) => id)).toEqual(['t1']);
  });
});
