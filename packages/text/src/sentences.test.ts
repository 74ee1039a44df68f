import { describe, expect, it } from '@jest/globals';
import { splitSentences } from '#sentences';
import { sliceSpan } from '#span';

const split = (text: string): string[] => Array.from(splitSentences(text), (span) => sliceSpan(text, span));

describe('splitSentences', () => {
  it('splits prose at the ends of sentences', () => {
    expect(split('One ends. Two asks? Three shouts!')).toEqual(['One ends.', 'Two asks?', 'Three shouts!']);
  });

  it('does not split after abbreviations and initials', () => {
    expect(split('Ask Dr. Smith or J. Doe, e.g. by mail. Then wait.')).toEqual([
      'Ask Dr. Smith or J. Doe, e.g. by mail.',
      'Then wait.',
    ]);
  });

  it('does not split decimals and versions', () => {
    expect(split('It costs 3.50 dollars in version 2.4.1 today.')).toHaveLength(1);
  });

  it('splits before a sentence that starts with a number', () => {
    expect(split('The plan is with Acme. 40acres pays half of it.')).toEqual([
      'The plan is with Acme.',
      '40acres pays half of it.',
    ]);
  });

  it('keeps a sentence whole across wrapped lines', () => {
    const text = 'This sentence was wrapped by an editor after some\nseventy characters. The next one follows.';
    expect(split(text)[0]).toBe('This sentence was wrapped by an editor after some\nseventy characters.');
  });

  it('splits short separate lines', () => {
    expect(split('Opening hours: 9 to 5\nPhone: 555 0100\nRoom: 12')).toHaveLength(3);
  });

  it('splits scripts without spaces', () => {
    expect(split('第一句。第二句。')).toEqual(['第一句。', '第二句。']);
  });
});

describe('splitSentences for chunks', () => {
  const splitForChunks = (text: string): string[] =>
    Array.from(splitSentences(text, { start: 0, end: text.length }, 'chunk'), (span) => sliceSpan(text, span));

  it('starts a sentence at every list item', () => {
    expect(splitForChunks('You need\n- a badge\n- a key')).toEqual(['You need', '- a badge', '- a key']);
  });

  it('ends a sentence at every full stop before white space and no lower-case letter', () => {
    expect(splitForChunks('Ask Dr. Smith, e.g. by mail. Then wait.')).toEqual([
      'Ask Dr.',
      'Smith, e.g. by mail.',
      'Then wait.',
    ]);
  });

  it('does not treat separate lines as sentences', () => {
    expect(splitForChunks('Opening hours: 9 to 5\nPhone: 555 0100')).toHaveLength(1);
  });
});

describe('splitSentences for messages', () => {
  const splitMessage = (text: string): string[] =>
    Array.from(splitSentences(text, { start: 0, end: text.length }, 'message'), (span) => sliceSpan(text, span));

  it('splits before lower-case letters', () => {
    expect(splitMessage('what is 2 + 2? and 3 + 3. thanks!')).toEqual(['what is 2 + 2?', 'and 3 + 3.', 'thanks!']);
  });

  it('starts a sentence at every line', () => {
    expect(splitMessage('I like tea\n\nand my team is Atlas')).toEqual(['I like tea', 'and my team is Atlas']);
  });
});
