import { describe, expect, it } from '@jest/globals';
import { estimateTokens } from '@lectern/text';
import fc from 'fast-check';
import { type Chunk, chunkText } from '#chunk/chunk-text';

const sentence = (n: number): string => `Sentence number ${n} adds something about the matter at hand.`;
const prose = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, i) => sentence(from + i)).join(' ');

/** White space and control characters, which no passage needs to cover. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are intended
const empty = /^[\s\u0000-\u0020]*$/;

const expectSound = (document: string, chunks: readonly Chunk[], targetTokens: number): void => {
  let last = -1;
  let covered = 0;
  for (const [index, chunk] of chunks.entries()) {
    expect(chunk.index).toBe(index);
    expect(chunk.text).toBe(document.slice(chunk.start, chunk.end));
    expect(chunk.tokens).toBe(estimateTokens(chunk.text));
    expect(chunk.tokens).toBeLessThanOrEqual(targetTokens);
    expect(chunk.text).not.toMatch(empty);
    expect(chunk.start).toBeGreaterThan(last);
    expect(chunk.end).toBeGreaterThan(covered);
    expect(document.slice(covered, chunk.start)).toMatch(empty);
    last = chunk.start;
    covered = chunk.end;
  }
  expect(document.slice(covered)).toMatch(empty);
};

const markdownLine = fc.oneof(
  fc.constantFrom(
    '',
    '',
    '# One',
    '## Two',
    '### Three',
    '```',
    '~~~',
    '| a | b |',
    '| --- | --- |',
    '- item',
    '  1. deep',
    '    ',
    '\t',
  ),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(fc.constantFrom('word', 'End.', 'longerword', '東京は大きい。', '😀', 'naïve', '12345'), { maxLength: 60 })
    .map((w) => w.join(' ')),
  fc.nat({ max: 4000 }).map((n) => 'x'.repeat(n)),
);
const document = fc.array(markdownLine, { maxLength: 60 }).map((lines) => lines.join('\n'));

/** Counts character reads: unlike time, the count is the same on every machine. */
const countReads = (work: () => unknown): number => {
  const original = String.prototype.charCodeAt;
  let reads = 0;
  String.prototype.charCodeAt = function (this: string, index: number): number {
    reads++;
    return original.call(this, index);
  };
  try {
    work();
  } finally {
    String.prototype.charCodeAt = original;
  }
  return reads;
};

describe('chunkText', () => {
  it('returns slices of the document that cover all its text, in order, within the target', () => {
    fc.assert(
      fc.property(
        document,
        fc.integer({ min: 16, max: 400 }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (text, target, share) => {
          const overlapTokens = Math.floor(target * share);
          expectSound(text, chunkText(text, { targetTokens: target, overlapTokens }), target);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('counts white space at the start of a block together with the white space before it', () => {
    const text = `${'x'.repeat(350)}\n- item\n\n\u0000\u0000𐀀𐀀𐀀\u0000\u0000\u0000\nx`;
    expectSound(text, chunkText(text, { targetTokens: 23, overlapTokens: 0 }), 23);
  });

  it('never splits a surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('😀', '𠮷', 'a', ' ', '.'), maxLength: 400 }), (text) => {
        for (const chunk of chunkText(text, { targetTokens: 16 })) expect(chunk.text.isWellFormed()).toBe(true);
      }),
    );
  });

  it('returns nothing for a document without text', () => {
    expect(chunkText('')).toEqual([]);
    expect(chunkText(' \n\n\t\n')).toEqual([]);
  });

  it('keeps a passage under its headings', () => {
    const text = `# Handbook\n\n## Leave\n\n${prose(20)}\n\n## Pay\n\n${prose(20, 50)}`;
    const chunks = chunkText(text);
    expect(chunks.map((chunk) => chunk.headingPath)).toEqual([
      ['Handbook', 'Leave'],
      ['Handbook', 'Pay'],
    ]);
    expect(chunks[0]?.text.startsWith('# Handbook\n\n## Leave')).toBe(true);
    expect(chunks[1]?.text.startsWith('## Pay')).toBe(true);
  });

  it('begins the heading path with the title, unless the first heading repeats it', () => {
    expect(chunkText('## Leave\n\nTwenty days.', { title: 'Handbook' })[0]?.headingPath).toEqual(['Handbook', 'Leave']);
    expect(chunkText('# HANDBOOK\n\nTwenty days.', { title: 'Handbook' })[0]?.headingPath).toEqual(['HANDBOOK']);
  });

  it('merges tiny neighboring sections under their common headings', () => {
    const text = '# FAQ\n\n## One\n\nYes.\n\n## Two\n\nNo.\n\n# Other\n\nMaybe.';
    const chunks = chunkText(text);
    expect(chunks.map((chunk) => chunk.headingPath)).toEqual([['FAQ'], ['Other']]);
  });

  it('repeats the last sentences within a section and nothing across sections', () => {
    const text = `# A\n\n${prose(40)}\n\n# B\n\n${prose(40, 100)}`;
    const chunks = chunkText(text, { targetTokens: 120, overlapTokens: 30 });
    const byHeading = Map.groupBy(chunks, (chunk) => chunk.headingPath[0]);
    for (const group of byHeading.values()) {
      for (const [index, chunk] of group.entries()) {
        const before = group[index - 1];
        if (before) expect(chunk.start).toBeLessThan(before.end);
        if (before) expect(chunk.text).toMatch(/^Sentence/);
      }
    }
    const [a, b] = [byHeading.get('A')!, byHeading.get('B')!];
    expect(b[0]!.start).toBeGreaterThanOrEqual(a.at(-1)!.end);
  });

  it('splits a huge paragraph at sentence ends and divides it evenly', () => {
    const chunks = chunkText(prose(60), { overlapTokens: 0 });
    for (const chunk of chunks) expect(chunk.text).toMatch(/^Sentence[\s\S]*hand\.$/);
    const sizes = chunks.map((chunk) => chunk.tokens);
    expect(Math.min(...sizes)).toBeGreaterThan(Math.max(...sizes) / 2);
  });

  it('splits Chinese and Japanese at ideographic full stops', () => {
    const text = '東京は日本の首都です。'.repeat(100);
    for (const chunk of chunkText(text, { overlapTokens: 0 })) expect(chunk.text.endsWith('。')).toBe(true);
  });

  it('splits a table at rows and code at lines', () => {
    const table = Array.from({ length: 200 }, (_, i) => `| row ${i} | value ${i} |`).join('\n');
    for (const chunk of chunkText(table)) expect(chunk.text).toMatch(/^\| row[\s\S]*\|$/);
    const code = `\`\`\`ts\n${Array.from({ length: 300 }, (_, i) => `const value${i} = compute(${i});`).join('\n')}\n\`\`\``;
    for (const chunk of chunkText(code)) expect(chunk.text).toMatch(/^(```ts|const)[\s\S]*(;|```)$/);
  });

  it('reads # inside a code block as code', () => {
    const chunks = chunkText('# Setup\n\n```sh\n# not a heading\nnpm ci\n```\n\nDone.');
    expect(chunks).toHaveLength(1);
    expect(chunks[0]?.headingPath).toEqual(['Setup']);
  });

  it('never ends a chunk with a heading whose text is in the next one', () => {
    const text = `# A\n\n${prose(26)}\n\n${prose(10)}\n\n## B\n\n${prose(24)}\n\n${prose(24)}`;
    for (const chunk of chunkText(text)) expect(chunk.text).not.toMatch(/(^|\n)#+ \w+$/);
  });

  it('reads each character a bounded number of times for any text', () => {
    const length = 40_000;
    const patterns = [
      'x',
      'a ',
      '. ',
      '# a\n',
      '# a\n## b\n',
      '```\n',
      'a\n\n',
      '- a\n',
      '|\n',
      '東。',
      '😀',
      '\n \n',
      `a${' '.repeat(50)}`,
    ];
    for (const pattern of patterns) {
      const reads = countReads(() => chunkText(pattern.repeat(length / pattern.length)));
      expect({ pattern, isBounded: reads <= 40 * length }).toEqual({ pattern, isBounded: true });
    }
  });

  it('rejects invalid sizes', () => {
    expect(() => chunkText('a', { targetTokens: 3 })).toThrow(/targetTokens/);
    expect(() => chunkText('a', { targetTokens: 100, overlapTokens: 80 })).toThrow(/overlapTokens/);
  });
});
