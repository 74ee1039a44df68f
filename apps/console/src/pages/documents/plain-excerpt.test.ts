import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cleanExcerpt, plainExcerpt } from '#pages/documents/plain-excerpt.ts';

describe('an excerpt', () => {
  it('omits the marks of headings, bold text, lists, links, code and tables', () => {
    expect(plainExcerpt('# Leave ##\n\n**Thirty** days, see #12 (C# team).')).toBe(
      'Leave Thirty days, see #12 (C# team).',
    );
    expect(plainExcerpt('- See [the portal](https://x.example/a "Portal") or `ask`\n> a - b')).toBe(
      'See the portal or ask a - b',
    );
    expect(plainExcerpt('| Days | Who |\n|---|:-:|\n| 30 | all |')).toBe('Days | Who 30 | all');
    expect(plainExcerpt('```sh\nnpm start\n```\nsnake_case and __init__')).toBe('npm start snake_case and init');
    expect(plainExcerpt('##')).toBe('');
  });

  it('keeps the highlighted words', () => {
    const excerpt = '## Leave\n\n**Thirty** [paid days](https://x.example) a year';
    const spans = ['Thirty', 'paid', 'year'].map((word) => ({
      start: excerpt.indexOf(word),
      end: excerpt.indexOf(word) + word.length,
    }));
    const { text, highlights } = cleanExcerpt(excerpt, spans);
    expect(text).toBe('Leave Thirty paid days a year');
    expect(highlights.map(({ start, end }) => text.slice(start, end))).toEqual(['Thirty', 'paid', 'year']);
  });

  it('has valid spans for any text', () => {
    const piece = fc.constantFrom('a', ' ', '\n', '#', '*', '**', '[', '](', ')', '|', '---', '`', '_', 'word');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(60), fc.nat(60), (pieces, start, length) => {
        const excerpt = pieces.join('');
        const end = Math.min(excerpt.length, start + length);
        const { text, highlights } = cleanExcerpt(excerpt, start < end ? [{ start, end }] : []);
        for (const span of highlights) {
          expect(span.start).toBeLessThan(span.end);
          expect(span.end).toBeLessThanOrEqual(text.length);
        }
        expect(text).toBe(text.replace(/\s+/g, ' ').trim());
      }),
    );
  });
});
