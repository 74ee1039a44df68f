import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
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
