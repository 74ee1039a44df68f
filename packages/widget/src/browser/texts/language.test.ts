import { expect, it } from '@jest/globals';
import { firstLanguage } from '#browser/texts/language';

it.each([
  [['de'], 'de'],
  [['en', 'de'], 'en'],
  [['', 'de', 'en'], 'de'],
  [['de-AT'], 'de'],
  [[' DE-ch '], 'de'],
  [['fr', 'nl-BE', 'de-DE', 'en'], 'de'],
  [['den', 'e', 'deutsch'], 'en'],
  [['fr'], 'en'],
  [[], 'en'],
])('chooses from %j: %s', (tags, expected) => {
  expect(firstLanguage(tags)).toBe(expected);
});
