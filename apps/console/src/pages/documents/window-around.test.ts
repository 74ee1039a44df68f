import { describe, expect, it } from '@jest/globals';
import { windowAround } from '#pages/documents/window-around.ts';

describe('windowAround', () => {
  it('returns the whole text, split at the quote', () => {
    expect(windowAround('one two three', 'two')).toEqual({
      before: 'one ',
      marked: 'two',
      after: ' three',
      isCut: false,
      start: 4,
    });
  });

  it('marks nothing if the quote is missing', () => {
    for (const quote of ['four', '', undefined]) {
      expect(windowAround('one two', quote)).toMatchObject({ before: '', marked: '', after: 'one two', isCut: false });
    }
  });

  it('marks the quote at the offset, or its first occurrence', () => {
    const text = 'same, and again same';
    expect(windowAround(text, 'same', 16)).toMatchObject({ before: 'same, and again ', start: 16 });
    expect(windowAround(text, 'same', 3).before).toBe('');
  });

  it('returns the start of a long document without a quote, and all of a shorter one', () => {
    const { before, marked, after, isCut } = windowAround('a'.repeat(500_000), undefined);
    expect([before, marked, after.length, isCut]).toEqual(['', '', 60_000, true]);
    expect(windowAround('a'.repeat(59_000), undefined).isCut).toBe(false);
  });

  it('returns the text around the quote of a long document', () => {
    const { before, marked, after, isCut } = windowAround(`${'a'.repeat(500_000)}here${'b'.repeat(500_000)}`, 'here');
    expect(marked).toBe('here');
    expect(before.length).toBe(30_000);
    expect(after.length).toBeLessThanOrEqual(30_000);
    expect(isCut).toBe(true);
  });
});
