import { expect, it } from '@jest/globals';
import { plainExcerpt } from '#pages/documents/plain-excerpt.ts';

it('omits the marks of headings and bold text in an excerpt', () => {
  expect(plainExcerpt('# Leave ##\n\n**Thirty** days, see #12 (C# team).')).toBe(
    'Leave Thirty days, see #12 (C# team).',
  );
  expect(plainExcerpt('##')).toBe('');
});
