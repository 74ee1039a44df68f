import { expect, it } from '@jest/globals';
import { levelNote } from '#browser/ask/level';
import { ask } from '#browser/texts/en';

const signals = { coverageRatio: 1, shapeConfidence: 0, coverageCompleteness: 1, violationFree: 0 };

it('explains answers with little or no support', () => {
  expect(levelNote({ score: 0.9, label: 'high' }, 1, ask)).toBeUndefined();
  expect(levelNote({ score: 0.5, label: 'medium' }, 1, ask)).toBeUndefined();
  expect(levelNote({ score: 0.2, label: 'low' }, 1, ask)).toContain('may not answer');
  expect(levelNote({ score: 0.2, label: 'low' }, 0, ask)).toContain('do not answer');
  expect(levelNote({ score: 0.65, label: 'medium', signals }, 1, ask)).toContain('do not answer');
  expect(levelNote(null, 0, ask)).toBeUndefined();
});
