import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readQuestionCorpus } from '#eval/question-corpus';

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const HANDBOOK = pathOf('../../../apps/local/tests/handbook/files');

describe('readQuestionCorpus', () => {
  it('reads questions with the files that answer them', async () => {
    const { name, documents, queries } = await readQuestionCorpus(HANDBOOK, pathOf('../../questions/fernhill.jsonl'));
    expect(name).toBe('fernhill');
    expect(documents.find(({ id }) => id === 'time-off.md')?.title).toBe('Time off');
    expect(queries.length).toBeGreaterThan(40);
    const [first] = queries;
    expect(first).toMatchObject({ id: 'fernhill-1', judgments: new Map([['time-off.md', 1]]) });
  });

  it('rejects a question about a file that does not exist', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'questions-'));
    try {
      const file = join(folder, 'questions.jsonl');
      await writeFile(file, '{"_id": "q-1", "text": "who?", "files": ["none.md"]}\n');
      await expect(readQuestionCorpus(HANDBOOK, file)).rejects.toThrow('q-1 names none.md');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
