import { describe, expect, it } from '@jest/globals';
import { timeLimit } from '@lectern/testing';
import { parseQuery } from '#query/parse-query';

const NONE = { phrases: [], excluded: [] };

describe('a query', () => {
  it('is plain text where it has no operators', () => {
    expect(parseQuery(' parental leave ')).toEqual({ ...NONE, text: 'parental leave' });
  });

  it('has phrases in quotes, straight or typographic, which are searched for as well', () => {
    const expected = { text: 'policy  paid time off', phrases: ['paid time off'], excluded: [] };
    expect(parseQuery('policy "paid time off"')).toEqual(expected);
    expect(parseQuery('policy “paid time off”')).toEqual(expected);
    expect(parseQuery('policy „paid time off“')).toEqual(expected);
  });

  it('leaves out words and phrases after a minus', () => {
    expect(parseQuery('leave -draft -"old policy" (-x)')).toMatchObject({
      phrases: [],
      excluded: ['draft', 'old policy', 'x)'],
    });
    expect(parseQuery('-draft')).toEqual({ ...NONE, text: '', excluded: ['draft'] });
  });

  it.each(['e-mail', 'a - b', '5 --help', 'say "hello', '-', '""'])('takes %s as plain text', (query) => {
    expect(parseQuery(query)).toMatchObject(NONE);
  });

  it('takes time in proportion to its length', () => {
    const startedAt = performance.now();
    for (const part of ['"', '-"', ' -', '“', '-a']) parseQuery(part.repeat(50_000));
    expect(performance.now() - startedAt).toBeLessThan(timeLimit(2_000));
  });
});
