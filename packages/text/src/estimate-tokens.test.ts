import { describe, expect, it } from '@jest/globals';
import { estimateTokens } from '#estimate-tokens';

describe('estimateTokens', () => {
  it('counts nothing for an empty text', () => {
    expect(estimateTokens('')).toBe(0);
  });

  it('counts a short English sentence as its words and full stop', () => {
    expect(estimateTokens('The cat sat on the mat.')).toBe(7);
  });

  it('counts long words, numbers and unspaced scripts as several tokens', () => {
    expect(estimateTokens('internationalization')).toBeGreaterThan(2);
    expect(estimateTokens('123456789')).toBe(3);
    expect(estimateTokens('搜索文档')).toBe(4);
  });

  it('grows with the text', () => {
    const text = 'Lectern quotes what the documents contain. ';
    expect(estimateTokens(text.repeat(100))).toBeGreaterThan(90 * estimateTokens(text));
  });
});
