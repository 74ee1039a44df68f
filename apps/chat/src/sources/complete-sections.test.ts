import { describe, expect, it } from '@jest/globals';
import type { SourceDocument } from '@lectern/grounding';
import { completeSections } from '#sources/complete-sections';
import type { TurnServices } from '#turn/turn-services';

const TEXT = `# Badges

Everybody wears one.

## Replace

| Step | Where |
|---|---|
| Ask | Desk |
| Pick up | Gate |

## Other

${'Long. '.repeat(2_000)}`;

const { signal } = new AbortController();
const services = (text: string | undefined) => ({ readDocument: async () => text }) as unknown as TurnServices;

function found(quote: string): SourceDocument {
  const start = TEXT.indexOf(quote);
  return { id: 'doc', title: 'Badges', passages: [{ text: quote, start, end: start + quote.length, score: 1 }] };
}

describe('completeSections', () => {
  it('extends a passage to its section', async () => {
    const [document] = await completeSections(services(TEXT), 'What is it?', [found('| Ask | Desk |')], 1, signal);
    const [passage] = document?.passages ?? [];
    expect(passage?.text).toMatch(/^## Replace\n[\s\S]*Gate \|\n\n$/);
    expect(TEXT.slice(passage?.start, passage?.end)).toBe(passage?.text);
  });

  it('adds the section whose heading the question names', async () => {
    const question = 'How do I replace a badge?';
    const [document] = await completeSections(services(TEXT), question, [found('Everybody wears one.')], 1, signal);
    expect(document?.passages.map(({ text }) => text.slice(0, 10))).toEqual(['# Badges\n\n', '## Replace']);
  });

  it('extends a passage that starts in a table without being asked for', async () => {
    const [document] = await completeSections(services(TEXT), 'What is it?', [found('| Ask | Desk |')], 0, signal);
    expect(document?.passages[0]?.text).toContain('| Step | Where |');
  });

  it('extends a passage of a long section that starts in code to the whole code', async () => {
    const text = `# Long\n\n${'Long. '.repeat(2_000)}\n\n~~~sh\nfirst\nsecond\n~~~\n\nThen. ${'Long. '.repeat(2_000)}`;
    const start = text.indexOf('second');
    const end = text.indexOf('Then.') + 5;
    const passage = { text: text.slice(start, end), start, end, score: 1 };
    const sources = [{ id: 'doc', title: 'Long', passages: [passage] }];
    const [document] = await completeSections(services(text), 'What is it?', sources, 1, signal);
    expect(document?.passages[0]?.text).toBe('~~~sh\nfirst\nsecond\n~~~\n\nThen.');
  });

  it('lets other work run while it reads a document with many headings', async () => {
    const passage = found('Everybody wears one.');
    const text = TEXT.slice(0, 60) + '\n# a\n'.repeat(60_000);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await completeSections(services(text), 'What is b?', [passage], 1, signal);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });

  it.each([
    ['of a long section', 'Long. Long.', TEXT, 1],
    ['of a very long document', '| Ask | Desk |', TEXT + 'Long. '.repeat(100_000), 1],
    ['of prose, without being asked for', 'Everybody wears one.', TEXT, 0],
    ['of a document that has changed', '| Ask | Desk |', '# Other\n', 1],
    ['of a document that is not accessible any more', '| Ask | Desk |', undefined, 1],
  ])('keeps a passage %s', async (_case, quote, text, documents) => {
    expect(await completeSections(services(text), 'What is it?', [found(quote)], documents, signal)).toEqual([
      found(quote),
    ]);
  });
});
