import { describe, expect, it } from '@jest/globals';
import { createThoughtFilter } from '#openai/without-thoughts';

const filtered = (text: string, length: number): string => {
  const filter = createThoughtFilter();
  let said = '';
  for (let at = 0; at < text.length; at += length) said += filter.push(text.slice(at, at + length));
  return (said + filter.end()).trimStart();
};

describe('a reply that begins with thoughts', () => {
  it.each([
    ['<think>Hm, let me see.</think>\n\nYes.', 'Yes.'],
    ['\n<think>\n</think>Yes.', 'Yes.'],
    ['Yes, <think> is a tag.', 'Yes, <think> is a tag.'],
    ['<thin ice>', '<thin ice>'],
    ['<thi', '<thi'],
    ['<think>never ends', ''],
  ])('is told without them, however it is cut: %j', (text, expected) => {
    for (const length of [1, 4, 100]) expect(filtered(text, length)).toBe(expected);
  });
});
