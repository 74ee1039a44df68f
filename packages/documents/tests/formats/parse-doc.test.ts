import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { oldDoc } from '../old-office.ts';
import { parseSample } from '../parse-sample.ts';

describe('parseDoc', () => {
  it('writes headings, lists, tables, links and the characters of other scripts', async () => {
    // Saved by LibreOffice as a document of Word 97.
    const sample = await readFile(new URL('../office/leave.doc', import.meta.url));
    const { text, title, metadata } = await parseSample(new Uint8Array(sample), 'leave.doc');
    expect({ title, author: metadata.author }).toEqual({ title: 'Leave policy', author: 'Ada Lovelace' });
    expect(text).toBe(
      [
        '# Leave',
        'Every employee has thirty days of leave a year. See the form. Größe: 5 €, “quoted”.',
        '## Sabbatical',
        '- After five years\n- Three months\n  - unpaid',
        '| Country | Days |\n| --- | --- |\n| Germany | 30 |\n| France |  |',
        'Привет, 日本語.',
        'After the table.',
      ].join('\n\n'),
    );
  });

  it('reads any text from pieces that are stored in any way', async () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcXYZ019 éüß'), minLength: 1 });
    const wide = fc.string({ unit: fc.constantFrom(...'abc日本Я€'), minLength: 1 });
    const piece = fc.oneof(
      fc.record({ text: word, isCompressed: fc.boolean() }),
      fc.record({ text: wide, isCompressed: fc.constant(false) }),
      fc.constant({ text: '\r', isCompressed: true }),
    );
    const pieces = fc.array(piece, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(pieces, async (all) => {
        const raw = all.map(({ text }) => text).join('');
        const paragraphs = raw.split('\r').map((text) => text.trim());
        fc.pre(paragraphs.some((text) => text !== ''));
        const { text } = await parseSample(oldDoc(all), 'a.doc');
        expect(text.split('\n\n').map((line) => line.trim())).toEqual(paragraphs.filter((line) => line !== ''));
      }),
      { numRuns: 100 },
    );
  });

  it('shows the results of fields, not their instructions', async () => {
    const nested = 'See \u0013 HYPERLINK "\u0013 REF x \u0014y\u0015" \u0014the form\u0015 and \u0013 PAGE \u0015it.\r';
    const { text } = await parseSample(oldDoc([{ text: nested, isCompressed: true }]), 'a.doc');
    expect(text).toBe('See the form and it.');
  });

  it('rejects documents with a password, and those of Word 95', async () => {
    const pieces = [{ text: 'Text\r', isCompressed: true }];
    await expect(parseSample(oldDoc(pieces, 0x0100), 'a.doc')).rejects.toMatchObject({ code: 'encrypted' });
    const old = oldDoc(pieces);
    const at = Buffer.from(old).indexOf(Buffer.from([0xec, 0xa5, 0xc1, 0x00]));
    old[at + 2] = 0x65;
    await expect(parseSample(old, 'a.doc')).rejects.toMatchObject({ code: 'unsupported_format' });
  });
});
