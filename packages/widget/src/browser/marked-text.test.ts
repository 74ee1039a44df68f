import { describe, expect, it } from '@jest/globals';
import { splitAtSpans } from '#browser/marked-text';

const marked = (text: string, spans: Parameters<typeof splitAtSpans>[1]) =>
  splitAtSpans(text, spans)
    .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join('');

describe('splitAtSpans', () => {
  it('marks spans in any order', () => {
    expect(
      marked('thirty days a year', [
        { start: 14, end: 18 },
        { start: 0, end: 6 },
      ]),
    ).toBe('[thirty] days a [year]');
  });

  it('returns every character once if spans overlap, are empty, reversed or out of range', () => {
    const spans = [
      { start: -3, end: 4 },
      { start: 2, end: 6 },
      { start: 3, end: 3 },
      { start: 9, end: 7 },
      { start: 10, end: 99 },
      { start: 50, end: 60 },
    ];
    expect(marked('thirty days', spans)).toBe('[thir][ty] day[s]');
  });
});
