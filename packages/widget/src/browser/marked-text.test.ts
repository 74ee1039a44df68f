import { describe, expect, it } from '@jest/globals';
import { piecesOf } from '#browser/marked-text';

const marked = (text: string, spans: Parameters<typeof piecesOf>[1]) =>
  piecesOf(text, spans)
    .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join('');

describe('piecesOf', () => {
  it('marks the spans of a text, in whatever order they come', () => {
    expect(
      marked('thirty days a year', [
        { start: 14, end: 18 },
        { start: 0, end: 6 },
      ]),
    ).toBe('[thirty] days a [year]');
  });

  it('keeps every character once where spans overlap, are empty, backward or outside', () => {
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
