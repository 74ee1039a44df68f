import { describe, expect, it } from '@jest/globals';
import type { SourceDocument } from '#citations/source-document';
import { lacksDetail, negates } from '#confidence/doubts';
import { readEvidence } from '#judge/read-evidence';

/** Checks the best unit of a source for a question. */
async function doubtsOf(question: string, text: string) {
  const source: SourceDocument = { id: 'd', title: 'Notes', passages: [{ text, start: 0, end: text.length }] };
  const evidence = await readEvidence(question, [source]);
  const best = evidence.scored[0];
  if (best === undefined) throw new Error('The source has no unit.');
  return { negates: negates(evidence.question, best), lacksDetail: lacksDetail(evidence.question, best) };
}

describe('negates', () => {
  it.each([
    ['When was the branch in Lyon opened?', 'The branch in Lyon was not opened in 2015.'],
    ['Who designed the office?', "The office wasn't designed by Ana Silva."],
    ['Wann wurde das Büro eröffnet?', 'Das Büro wurde im Jahr 2019 nicht eröffnet.'],
  ])('is true for %j with %j', async (question, text) => {
    expect((await doubtsOf(question, text)).negates).toBe(true);
  });

  it.each([
    ['When was the branch in Lyon opened?', 'The branch in Lyon was opened in 2015.'],
    ['Can I carry over vacation days?', 'Vacation days can not be carried over.'],
    ['What is not covered by the insurance?', 'Glasses are not covered by the insurance.'],
    ['When was the office opened?', 'The office was opened in 2019, not in Lyon.'],
  ])('is false for %j with %j', async (question, text) => {
    expect((await doubtsOf(question, text)).negates).toBe(false);
  });
});

describe('lacksDetail', () => {
  it('is true if the passage does not mention a name of the question', async () => {
    const question = 'Where does Ana Silva work?';
    expect((await doubtsOf(question, 'Jared Allen works in the office in Lyon.')).lacksDetail).toBe(true);
    expect((await doubtsOf(question, 'Ana Silva works in the office in Lyon.')).lacksDetail).toBe(false);
    expect((await doubtsOf(question, 'Ana Silva is new. She works in the office in Lyon.')).lacksDetail).toBe(false);
  });

  it('is true if the passage does not mention a number of the question', async () => {
    const question = 'Which office has 40 desks?';
    expect((await doubtsOf(question, 'The office in Lyon has 45 desks.')).lacksDetail).toBe(true);
    expect((await doubtsOf(question, 'The office in Lyon has 40 desks.')).lacksDetail).toBe(false);
  });
});
