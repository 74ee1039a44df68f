import { describe, expect, it } from '@jest/globals';
import { parseSample } from '../parse-sample.ts';

describe('parseDelimited', () => {
  it('writes a table for any delimiter', async () => {
    const table = '| name | age |\n| --- | --- |\n| Ada, C. | 36 |\n| Alan | 41 |';
    for (const [text, name] of [
      ['name,age\n"Ada, C.",36\nAlan,41\n', 'a.csv'],
      ['name;age\r\nAda, C.;36\r\nAlan;41\r\n', 'a.csv'],
      ['name\tage\nAda, C.\t36\nAlan\t41', 'a.tsv'],
      ['\ufeffname|age\nAda, C.|36\nAlan|41', 'a.csv'],
    ] as const) {
      expect((await parseSample(text, name)).text).toBe(table);
    }
  });

  it('repeats the header in each group of rows', async () => {
    const rows = Array.from({ length: 100 }, (_, i) => `${i},value number ${i}`).join('\n');
    const { text } = await parseSample(`id,description\n${rows}`, 'a.csv');
    const groups = text.split('\n\n');
    expect(groups.length).toBeGreaterThanOrEqual(3);
    for (const group of groups) expect(group.startsWith('| id | description |\n| --- | --- |\n')).toBe(true);
  });

  it('writes one list per row for wide rows, and numbers columns without a name', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `n${String.fromCharCode(97 + i)}`);
    const wide = await parseSample(`${names.join(',')}\n${names.map((_, i) => i).join(',')}`, 'a.csv');
    expect(wide.text.startsWith('- na: 0\n- nb: 1\n')).toBe(true);
    const nameless = await parseSample('1,2\n3,4\n', 'a.csv');
    expect(nameless.text.startsWith('| Column 1 | Column 2 |')).toBe(true);
  });

  it('recognizes tab-separated values in a .txt file', async () => {
    const { metadata } = await parseSample('a\tb\tc\n1\t2\t3\n4\t5\t6\n', 'a.txt');
    expect(metadata.mimeType).toBe('text/tab-separated-values');
  });

  it('accepts quotes that are never closed', async () => {
    const { text } = await parseSample('name,note\nAda,"open\nAlan,closed\n', 'a.csv');
    expect(text).toContain('Alan');
  });
});
