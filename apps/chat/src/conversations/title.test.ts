import { describe, expect, it } from '@jest/globals';
import { titleOf } from '#conversations/title';

describe("a conversation's title", () => {
  it('is its first message on one line', () => {
    expect(titleOf('  How long is\n\nparental leave? ')).toBe('How long is parental leave?');
  });

  it('is cut at a word where the message is long', () => {
    const title = titleOf('vacation '.repeat(40));
    expect(title.length).toBeLessThanOrEqual(80);
    expect(title).toMatch(/vacation…$/);
  });

  it('never cuts a character in two', () => {
    expect(titleOf('🦊'.repeat(200)).isWellFormed()).toBe(true);
  });
});
