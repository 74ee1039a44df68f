import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { passageUnits } from '#markdown/passage-units';
import { sectionSpans } from '#markdown/section-spans';

const line = fc.oneof(fc.constantFrom('# One', '## Two', '```', '- item', '', '1. step'), fc.string());

describe('sectionSpans', () => {
  it('returns each heading with the text below it', () => {
    const text = 'Before.\n# One\n\nFirst.\n## Two\nSecond.\n';
    expect(
      sectionSpans(text).map(({ start, bodyStart, end }) => [text.slice(start, bodyStart), text.slice(bodyStart, end)]),
    ).toEqual([
      ['', 'Before.\n'],
      ['# One\n', '\nFirst.\n'],
      ['## Two\n', 'Second.\n'],
    ]);
  });

  it('ignores number signs in fenced code', () => {
    expect(sectionSpans('# One\n```sh\n# a comment\n```\nText.')).toHaveLength(1);
  });

  it('closes code only with a fence of the same character and at least the same length', () => {
    expect(sectionSpans('# One\n````md\n```\n# a comment\n~~~~\n# another\n````\n# Two\nText.')).toHaveLength(2);
  });

  it('recognizes a text that starts in code', () => {
    const text = 'first\n# a comment\n```\n# One\n\nThen:\n\n```sh\n# another\n```\n';
    expect(sectionSpans(text).map(({ start }) => text.slice(start, start + 5))).toEqual(['first', '# One']);
    expect(passageUnits(text).map(({ kind }) => kind)).toEqual(['code', 'sentence', 'code']);
  });

  it.each([
    ['spaces in a heading', `# a${' '.repeat(300_000)}b`],
    ['number signs in a heading', `# ${'# '.repeat(150_000)}b`],
    ['spaces in short headings', `# a${' '.repeat(490)}b\n`.repeat(600)],
    ['spaces in a table', `| a |\n|---|${' '.repeat(300_000)}x |\n${' '.repeat(300_000)}| x |`],
    ['a rule that is none', `-${' '.repeat(300_000)}-${' '.repeat(300_000)}x`],
    ['backticks', '`'.repeat(300_000)],
  ])('reads text with many %s in little time', (_case, text) => {
    const { user } = process.cpuUsage();
    sectionSpans(text);
    passageUnits(text);
    expect(process.cpuUsage({ user, system: 0 }).user).toBeLessThan(2_000_000);
  });

  it('returns the whole text without gaps', () => {
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join('\n');
        expect(
          sectionSpans(text)
            .map(({ start, end }) => text.slice(start, end))
            .join(''),
        ).toBe(text);
      }),
    );
  });
});
