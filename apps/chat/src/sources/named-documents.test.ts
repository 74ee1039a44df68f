import { describe, expect, it } from '@jest/globals';
import { namedDocuments } from '#sources/named-documents';

const titles = (question: string, ...found: string[]) =>
  namedDocuments(
    question,
    found.map((title) => ({ id: title, title, passages: [] })),
  ).map(({ title }) => title);

describe('namedDocuments', () => {
  it.each([
    ['Summarize the travel policy', ['Expenses', 'Travel policy'], ['Travel policy']],
    ['Please give me a short summary of the travel policy.', ['Travel', 'Expenses'], ['Travel']],
    ['Summarize the travel policy', ['Expenses', 'Travel policy 2026'], ['Travel policy 2026']],
    ['Summarize the travel insurance', ['Travel', 'Travel insurance'], ['Travel insurance']],
    ['Summarize the leave policy and the travel policy', ['Leave', 'Travel', 'Bonus'], ['Leave', 'Travel']],
    ['Fasse die Reiserichtlinie zusammen', ['Urlaub', 'Reiserichtlinie'], ['Reiserichtlinie']],
  ])('finds the documents that "%s" names in %j: %j', (question, found, named) => {
    expect(titles(question, ...found)).toEqual(named);
  });

  it('finds none if the request names a subject, or is ambiguous', () => {
    expect(titles('Summarize what we know about visitors', 'Travel', 'Expenses')).toEqual([]);
    expect(titles('Summarize the travel policy', 'Travel policy 2025', 'Travel policy 2026')).toEqual([]);
    expect(titles('Summarize this', 'Travel', 'Expenses')).toEqual([]);
  });
});
