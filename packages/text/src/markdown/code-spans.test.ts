import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { codeSpans } from '#markdown/code-spans';

const codeIn = (text: string): string[] => codeSpans(text).map(({ start, end }) => text.slice(start, end));

describe('codeSpans', () => {
  it('returns fenced and inline code', () => {
    expect(codeIn('Run `a[1]` or ``b`c``:\n\n~~~sh\nd `e`\n~~~\n\n```\nopen')).toEqual([
      '`a[1]`',
      '``b`c``',
      '~~~sh\nd `e`\n~~~',
      '```\nopen',
    ]);
  });

  it('ignores backticks without a counterpart', () => {
    expect(codeIn('a ` b `` c\n` d')).toEqual([]);
  });

  it('returns spans in order, without overlaps', () => {
    const part = fc.constantFrom('`', '``', '```', '~~~', '\n', 'x', ' ');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        let last = 0;
        for (const { start, end } of codeSpans(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
