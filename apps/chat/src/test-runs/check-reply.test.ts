import { describe, expect, it } from '@jest/globals';
import { phrasesIn } from '@lectern/grounding';
import { type CheckedReply, checkReply, type Expectation } from '#test-runs/check-reply';

const REPLY: CheckedReply = {
  content: 'According to Leave: Every employee gets 30 days\nof leave [1].',
  sources: [{ id: 'leave', excerpt: 'Every employee gets 30 days of leave.' }],
  retrieved: ['travel', 'leave'],
};
const check = (expected: Partial<Expectation>, reply: Partial<CheckedReply> = {}) =>
  checkReply({ expectsRefusal: false, documents: [], texts: [], ...expected }, { ...REPLY, ...reply });
const refusal = { content: phrasesIn('en').notFound, sources: [] };

describe('a test case', () => {
  it('passes if the reply answers, cites an expected document and contains all texts', () => {
    const expected = { documents: ['other', 'leave'], texts: ['30 DAYS of leave', 'every employee'] };
    expect(check(expected)).toEqual({ failures: [], refused: false, rank: 2 });
  });

  it('fails if the reply does not answer, and passes if that is expected', () => {
    expect(check({}, refusal)).toEqual({ failures: ['refused'], refused: true, rank: null });
    expect(check({ expectsRefusal: true }, refusal).failures).toEqual([]);
    expect(check({ expectsRefusal: true }).failures).toEqual(['answered']);
  });

  it('distinguishes documents that were not found from those that were not cited', () => {
    expect(check({ documents: ['travel'] })).toMatchObject({ failures: ['not_cited'], rank: 1 });
    expect(check({ documents: ['other'] })).toMatchObject({ failures: ['not_retrieved'], rank: null });
  });

  it('fails if a text is missing', () => {
    expect(check({ texts: ['30 days', '31 days'] }).failures).toEqual(['text_missing']);
  });
});
