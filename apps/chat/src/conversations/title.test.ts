import { describe, expect, it } from '@jest/globals';
import { titleOf } from '#conversations/title';

describe('titleOf', () => {
  it('returns the first message on one line', () => {
    expect(titleOf('  How long is\n\nparental leave? ')).toBe('How long is parental leave?');
  });

  it('cuts a long message between words', () => {
    const title = titleOf('vacation '.repeat(40));
    expect(title.length).toBeLessThanOrEqual(80);
    expect(title).toMatch(/vacation…$/);
  });

  it('never splits a character', () => {
    expect(titleOf('🦊'.repeat(200)).isWellFormed()).toBe(true);
  });
});
