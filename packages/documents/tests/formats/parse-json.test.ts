import { describe, expect, it } from '@jest/globals';
import { parseSample } from '../parse-sample.ts';

describe('parseJson', () => {
  it('writes records with the same fields as a table', async () => {
    const table = '| name | age |\n| --- | --- |\n| Ada | 36 |\n| Alan | 41 |';
    const records = [
      { name: 'Ada', age: 36 },
      { name: 'Alan', age: 41 },
    ];
    expect((await parseSample(JSON.stringify(records), 'a.json')).text).toBe(table);
    expect((await parseSample(records.map((r) => JSON.stringify(r)).join('\n'), 'a.jsonl')).text).toBe(table);
  });

  it('writes any other value as sections and nested lists', async () => {
    const { text, title } = await parseSample(
      JSON.stringify({
        name: 'Shop',
        empty: null,
        tags: ['a', 'b'],
        owner: { name: 'Ada', address: { city: 'London' } },
      }),
      'a.json',
    );
    expect(title).toBe('Shop');
    expect(text).toBe('- name: Shop\n\n## tags\n\n- a\n- b\n\n## owner\n\n- name: Ada\n- address:\n  - city: London');
  });

  it('reads malformed JSON as text', async () => {
    expect((await parseSample('{ "open": ', 'a.json')).text).toBe('{ "open":');
  });
});
