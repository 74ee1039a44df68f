import { describe, expect, it } from '@jest/globals';
import { type SearchRule, SearchRuleMatch } from '@lectern/contracts';
import { createTeamRules } from '#rules/team-rules';

const ruleOf = (query: string, match: SearchRuleMatch = SearchRuleMatch.EXACT, collectionId?: string): SearchRule => ({
  id: query,
  query,
  match,
  collectionId,
  pins: [],
  hiddenDocumentIds: [],
  enabled: true,
  createdAt: undefined,
  updatedAt: undefined,
  revision: '',
});

const found = (rules: readonly SearchRule[], text: string, collections: readonly string[] = []) =>
  createTeamRules(rules)
    .matching(text, ['en'], new Set(collections))
    .map(({ id }) => id);

describe('a rule', () => {
  it.each([
    ['parental leave', 'parental leave', true],
    ['parental leave', 'Parental  LEAVE', true],
    ['parental leave', 'parental leaves', true],
    ['parental leave', 'parental leave policy', false],
    ['parental leave', 'leave parental', false],
    ['on-boarding', 'on boarding', true],
    ['IT', 'it', false],
    ['IT', 'IT', true],
    ['Überstunden', 'uberstunden', true],
    ['🎄', '🎄', true],
  ])('for exactly %j applies to %j: %j', (query, text, expected) => {
    expect(found([ruleOf(query)], text)).toEqual(expected ? [query] : []);
  });

  it.each([
    ['leave', 'how much leave do I get', true],
    ['parental leave', 'is parental leave paid?', true],
    ['parental leave', 'parental or other leave', false],
    ['leave', 'relieve', false],
  ])('for queries that contain %j applies to %j: %j', (query, text, expected) => {
    expect(found([ruleOf(query, SearchRuleMatch.CONTAINS)], text)).toEqual(expected ? [query] : []);
  });

  it('of a collection applies to searches of that collection', () => {
    const rules = [ruleOf('leave', SearchRuleMatch.EXACT, 'col_1'), ruleOf('Leave')];
    expect(found(rules, 'leave', ['col_2'])).toEqual(['Leave']);
    expect(found(rules, 'leave', ['col_1', 'col_2'])).toEqual(['leave', 'Leave']);
  });
});
