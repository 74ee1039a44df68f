import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import wrapAnsi from 'wrap-ansi';
import { createWrapStream } from '#output/wrap-stream';

const text = fc.array(fc.constantFrom(' ', '  ', '\n', 'a', 'word', 'longer-than-a-line', 'Größe', '日本語'), {
  maxLength: 60,
});

function wrapped(pieces: readonly string[], columns: number): string {
  let result = '';
  const stream = createWrapStream(columns, (piece) => {
    result += piece;
  });
  for (const piece of pieces) stream.write(piece);
  stream.end();
  return result;
}

it('breaks lines like the whole text, however it is divided', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 6, max: 40 }), fc.boolean(), (words, columns, byCharacter) => {
      const whole = words.join('');
      expect(wrapped(byCharacter ? [...whole] : words, columns)).toBe(wrapAnsi(whole, columns, { trim: false }));
    }),
  );
});

it('writes a word as soon as the next one begins', () => {
  const written: string[] = [];
  const stream = createWrapStream(20, (piece) => written.push(piece));
  for (const piece of ['Thirty', ' days', ' of', ' paid leave']) stream.write(piece);
  expect(written.join('')).toBe('Thirty days of paid ');
});
