import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callAs, createCaller } from '@lectern/testing';
import { ANSWERED, UNANSWERED } from './handbook-questions.ts';
import { startSystem, type TestSystem } from './system.ts';

// A folder with the Markdown files of github.com/basecamp/handbook. They are not ours to ship, so the test runs where they are given.
const folder = process.env.LECTERN_TEST_HANDBOOK;

const report = (line: string, missed: readonly string[]) => process.stdout.write(`${[line, ...missed].join('\n  ')}\n`);

(folder === undefined ? describe.skip : describe)('the handbook', () => {
  const caller = createCaller();
  let system: TestSystem;

  beforeAll(async () => {
    system = await startSystem();
    const names = (await readdir(folder ?? '')).filter((name) => name.endsWith('.md'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder ?? '', name), 'utf8')));
    await system.addCollection(
      caller,
      'Handbook',
      Object.fromEntries(names.map((name, at) => [name, texts[at] ?? ''])),
    );
  });

  afterAll(() => system.stop());

  it('has the right document first for 8 of 10 questions, and within the first three for 28 of 30', async () => {
    const ranks: number[] = [];
    const missed: string[] = [];
    for (const [query, file] of ANSWERED) {
      const { results } = await system.search.search({ query }, callAs(caller));
      const rank = results.findIndex(({ title }) => title === file);
      ranks.push(rank);
      if (rank !== 0) missed.push(`${query} ${file} is at ${rank}, ${results[0]?.title} is first`);
    }
    const within = (count: number) => ranks.filter((rank) => rank >= 0 && rank < count).length / ranks.length;
    report(`first ${within(1)}, within three ${within(3)}`, missed);
    expect(within(1)).toBeGreaterThanOrEqual(24 / 30);
    expect(within(3)).toBeGreaterThanOrEqual(28 / 30);
  });

  it('answers the questions from the right document, every excerpt verbatim in its own', async () => {
    const missed: string[] = [];
    for (const [message, file] of ANSWERED) {
      const reply = await system.chat.chat({ message }, callAs(caller));
      if (!reply.sources.some(({ title }) => title === file)) {
        missed.push(`${message} ${reply.answerConfidence?.score} ${reply.content}`);
      }
      for (const { id, excerpt } of reply.sources) {
        const { content } = await system.documents.getDocumentContent({ id }, callAs(caller));
        expect(content).toContain(excerpt);
      }
    }
    report(`answered ${1 - missed.length / ANSWERED.length}`, missed);
    expect(missed.length / ANSWERED.length).toBeLessThanOrEqual(1 / 10);
  });

  it('says so, with low confidence, where it holds no answer', async () => {
    const answered: string[] = [];
    for (const message of UNANSWERED) {
      const { content, answerConfidence } = await system.chat.chat({ message }, callAs(caller));
      if (answerConfidence?.label !== 'low') answered.push(`${message} → ${content} (${answerConfidence?.score})`);
    }
    expect(answered).toEqual([]);
  });
});
