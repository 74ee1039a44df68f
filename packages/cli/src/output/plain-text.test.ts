import { expect, it } from '@jest/globals';
import { markSpans } from '#output/mark-spans';
import { oneLine, plainText } from '#output/plain-text';
import { progressBar } from '#output/progress-bar';

it('removes terminal escape sequences', () => {
  expect(plainText('a\u001B[2Jb\u0007\u009Bc\r\nd\te\u202Ef')).toBe('a[2Jbc\nd\tef');
  expect(oneLine(' a\n\n b\t\u001B]0;title ')).toBe('a b ]0;title');
});

it('marks matches and keeps words separate', () => {
  const mark = (text: string) => `[${text}]`;
  expect(
    markSpans(
      'thirty days\n a year',
      [
        { start: 15, end: 99 },
        { start: 0, end: 6 },
        { start: 3, end: 6 },
      ],
      mark,
    ),
  ).toBe('[thirty] days a [year]');
});

it('draws a bar for any fraction, including 0 of 0', () => {
  expect(progressBar(0, 0)).toMatch(/^░{24} 0\/0$/);
  expect(progressBar(6, 12)).toMatch(/^█{12}░{12} 6\/12$/);
  expect(progressBar(9, 3)).toMatch(/^█{24} 9\/3$/);
});
