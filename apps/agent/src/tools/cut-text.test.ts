import { describe, expect, it } from '@jest/globals';
import { cutText } from '#tools/cut-text';

describe('cutText', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['aé', 2, 'a'],
    ['文書', 5, '文'],
    ['a😀', 4, 'a'],
    ['a😀', 5, 'a😀'],
    ['a\uFFFDb', 4, 'a\uFFFD'],
    ['abc', 0, ''],
    ['abc', -1, ''],
  ])('cuts %j to %i bytes: %j', (text, maxBytes, expected) => {
    expect(cutText(text, maxBytes)).toBe(expected);
  });
});
