import { describe, expect, it } from '@jest/globals';
import { windowAround } from '#pages/documents/window-around.ts';

describe('the part of a document that is shown', () => {
  it('is all of it, with the quote apart', () => {
    expect(windowAround('one two three', 'two')).toEqual({
      before: 'one ',
      marked: 'two',
      after: ' three',
      isCut: false,
    });
  });

  it('marks nothing where the quote is not in it, or there is none', () => {
    for (const quote of ['four', '', undefined]) {
      expect(windowAround('one two', quote)).toEqual({ before: '', marked: '', after: 'one two', isCut: false });
    }
  });

  it('marks the place that is named where the quote stands there, and its first one where it does not', () => {
    const text = 'same, and again same';
    expect(windowAround(text, 'same', 16).before).toBe('same, and again ');
    expect(windowAround(text, 'same', 3).before).toBe('');
  });

  it('is the surroundings of the quote where the document is very long', () => {
    const { before, marked, after, isCut } = windowAround(`${'a'.repeat(500_000)}here${'b'.repeat(500_000)}`, 'here');
    expect(marked).toBe('here');
    expect(before.length).toBe(100_000);
    expect(after.length).toBeLessThanOrEqual(100_000);
    expect(isCut).toBe(true);
  });
});
