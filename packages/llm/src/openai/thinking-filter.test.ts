import { describe, expect, it } from '@jest/globals';
import { createThinkingFilter } from '#openai/thinking-filter';

const filtered = (text: string, length: number): string => {
  const filter = createThinkingFilter();
  let shown = '';
  for (let at = 0; at < text.length; at += length) shown += filter.push(text.slice(at, at + length));
  return (shown + filter.end()).trimStart();
};

describe('createThinkingFilter', () => {
  it.each([
    ['<think>Hm, let me see.</think>\n\nYes.', 'Yes.'],
    ['\n<think>\n</think>Yes.', 'Yes.'],
    ['Yes, <think> is a tag.', 'Yes, <think> is a tag.'],
    ['<thin ice>', '<thin ice>'],
    ['<thi', '<thi'],
    ['<think>never ends', ''],
  ])('removes leading thinking, however the stream is split: %j', (text, expected) => {
    for (const length of [1, 4, 100]) expect(filtered(text, length)).toBe(expected);
  });
});
