import { describe, expect, it } from '@jest/globals';
import { createMarkerSplitter, type MarkedPiece } from '#citations/marker-splitter';

/**
 * Returns the pieces of a text that comes in parts of `length` characters, neighboring texts
 * joined.
 */
function piecesOf(text: string, length: number): MarkedPiece[] {
  const splitter = createMarkerSplitter();
  const pieces: MarkedPiece[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(...splitter.push(text.slice(at, at + length)));
  pieces.push(...splitter.end());
  const joined: MarkedPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { ...piece, text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined;
}

const text = (words: string): MarkedPiece => ({ type: 'text', text: words });
const marker = (blank: string, ...numbers: number[]): MarkedPiece => ({
  type: 'marker',
  text: `${blank}[${numbers.join(', ')}]`,
  blank,
  numbers,
});

describe('markers in a stream', () => {
  it.each([
    ['Yes [1].', [text('Yes'), marker(' ', 1), text('.')]],
    ['[2] Yes', [marker('', 2), text(' Yes')]],
    ['Both [1, 12] and [3][4]', [text('Both'), marker(' ', 1, 12), text(' and'), marker(' ', 3), marker('', 4)]],
    [
      'In `a[1]` and [2](https://x) and [note] and [2024]',
      [text('In `a[1]` and [2](https://x) and [note] and [2024]')],
    ],
    ['```\na[1]\n``` done [1]', [text('```\na[1]\n``` done'), marker(' ', 1)]],
    ['~~~ts\na[1] `\n~~~\ndone [1]', [text('~~~ts\na[1] `\n~~~\ndone'), marker(' ', 1)]],
    ['an open [1', [text('an open [1')]],
    ['[1]: https://x', [text('[1]: https://x')]],
  ])('are found however the stream is split: %s', (words, expected) => {
    for (const length of [1, 2, 3, 5, words.length]) expect(piecesOf(words, length)).toEqual(expected);
  });

  it('are the only text that is buffered', () => {
    const splitter = createMarkerSplitter();
    expect(splitter.push('A whole sentence. ')).toEqual([text('A whole sentence.')]);
    expect(splitter.push('And more')).toEqual([text(' And more')]);
  });
});
