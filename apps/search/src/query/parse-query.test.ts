import { describe, expect, it } from '@jest/globals';
import { timeLimit } from '@lectern/testing';
import { parseQuery } from '#query/parse-query';

const NONE = { phrases: [], excluded: [] };

describe('parseQuery', () => {
  it('reads a query without operators as plain text', () => {
    expect(parseQuery(' parental leave ')).toMatchObject({ ...NONE, text: 'parental leave' });
  });

  it('reads phrases in straight or typographic quotes, and keeps their words in the text', () => {
    const expected = { text: 'policy  paid time off', phrases: ['paid time off'], excluded: [] };
    expect(parseQuery('policy "paid time off"')).toMatchObject(expected);
    expect(parseQuery('policy “paid time off”')).toMatchObject(expected);
    expect(parseQuery('policy „paid time off“')).toMatchObject(expected);
  });

  it('excludes words and phrases after a minus', () => {
    expect(parseQuery('leave -draft -"old policy" (-x)')).toMatchObject({
      phrases: [],
      excluded: ['draft', 'old policy', 'x)'],
    });
    expect(parseQuery('-draft')).toMatchObject({ ...NONE, text: '', excluded: ['draft'] });
  });

  it.each(['e-mail', 'a - b', '5 --help', 'write "hello', '-', '""'])('reads %s as plain text', (query) => {
    expect(parseQuery(query)).toMatchObject(NONE);
  });

  it('needs time proportional to the length of the query', () => {
    const startedAt = performance.now();
    for (const part of ['"', '-"', ' -', '“', '-a']) parseQuery(part.repeat(50_000));
    expect(performance.now() - startedAt).toBeLessThan(timeLimit(2_000));
  });
});
