import { describe, expect, it } from '@jest/globals';
import { type ListedDocument, suggestQuestions } from '#suggestions/suggest-questions';

const document = (title: string, text: string, heading = ''): ListedDocument => ({
  title,
  passages: [{ text, heading }],
});
const travel = document('Travel', 'Trains are booked in second class, and flights need the approval of your manager.');
const leave = document('Urlaub', 'Alle Mitarbeiter haben dreißig Tage Urlaub im Jahr.', 'Urlaub');
const visa = document('Visa', 'The office applies for your visa.', 'Travel › Who applies for a visa?');

describe('suggestQuestions', () => {
  it('asks about documents in their own language', () => {
    expect(suggestQuestions([travel, leave])).toEqual([
      'What are the main points of "Travel"?',
      'Was sind die Kernpunkte von „Urlaub“?',
    ]);
  });

  it('starts with headings that are questions', () => {
    expect(suggestQuestions([travel, visa])).toEqual([
      'Who applies for a visa?',
      'What are the main points of "Travel"?',
      'What are the main points of "Visa"?',
    ]);
  });

  it('suggests each question once', () => {
    expect(suggestQuestions([travel, travel])).toHaveLength(1);
  });

  it('suggests nothing for documents without a title, or with one that is too long', () => {
    expect(suggestQuestions([document('', 'Text.'), document('x'.repeat(101), 'Text.')])).toEqual([]);
    expect(suggestQuestions([])).toEqual([]);
  });

  it('ignores a heading that is too long', () => {
    expect(suggestQuestions([document('', 'Text.', `${'x'.repeat(100)}?`)])).toEqual([]);
  });
});
