import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '#analysis/languages';
import { synonymPacks } from '#synonyms/packs';
import { ruleKey } from '#synonyms/synonym-rule';
import { type WordKey, wordKeys } from '#synonyms/word-keys';

describe.each(synonymPacks())('the pack $name', ({ language, rules }) => {
  it('has at least 300 different rules with stable keys', () => {
    expect(new Set(rules.map(ruleKey)).size).toBe(rules.length);
    expect(new Set(rules.map(({ key }) => key)).size).toBe(rules.length);
    expect(rules.length).toBeGreaterThanOrEqual(300);
    for (const { key } of rules) expect(key).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  });

  it('has small rules', () => {
    const sizes = rules.map(({ input, terms }) => Math.max(input.length, terms.length));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
  });

  it('never expands stopwords', () => {
    const { stopwords } = LANGUAGES[language];
    const inputs = rules.flatMap(({ input, terms }) => (input.length > 0 ? input : terms));
    const isStopword = ({ key, capitals }: WordKey) => capitals === undefined && stopwords.has(key);
    expect(inputs.filter((term) => wordKeys(term, language).every(isStopword))).toEqual([]);
  });
});
