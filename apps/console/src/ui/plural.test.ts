import { expect, it } from '@jest/globals';
import { plural } from '#ui/plural.ts';

it('adds an s except for one', () => {
  expect([0, 1, 2].map((count) => plural(count, 'document'))).toEqual(['0 documents', '1 document', '2 documents']);
});
