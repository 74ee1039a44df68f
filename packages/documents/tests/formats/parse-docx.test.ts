import { describe, expect, it } from '@jest/globals';
import { parseSample } from '../parse-sample.ts';
import { docx, wordParagraph } from '../sample-files.ts';

const row = (...cells: readonly string[]): string =>
  `<w:tr>${cells.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join('')}</w:tr>`;

describe('parseDocx', () => {
  it('keeps paragraphs, tables and the document properties', async () => {
    const body = `${wordParagraph('Claims are paid monthly.')}<w:tbl>${row('Item', 'Limit')}${row('Hotel', '200')}</w:tbl>`;
    const { text, title, metadata } = await parseSample(docx(body), 'a.docx');
    expect(text).toBe('Claims are paid monthly.\n\n| Item | Limit |\n| --- | --- |\n| Hotel | 200 |');
    expect(title).toBe('Travel policy');
    expect(metadata).toMatchObject({ author: 'Ada Lovelace', createdAt: '2024-05-06T07:08:09.000Z' });
  });

  it('is chosen by the content, regardless of the file name', async () => {
    const { metadata } = await parseSample(docx(wordParagraph('Hello')), 'a.txt');
    expect(metadata.mimeType).toMatch(/wordprocessingml/);
  });

  it('rejects a truncated file, and reads a text file named .docx as text', async () => {
    const whole = docx(wordParagraph('Hello'));
    const cut = parseSample(whole.subarray(0, whole.length / 2), 'a.docx');
    await expect(cut).rejects.toMatchObject({ code: 'corrupt_file', message: expect.stringContaining('damaged') });
    expect((await parseSample('not a Word file at all', 'a.docx')).metadata.mimeType).toBe('text/plain');
  });

  it('rejects malformed XML as a damaged file', async () => {
    await expect(parseSample(docx('<w:p><w:r>'), 'a.docx')).rejects.toMatchObject({ code: 'corrupt_file' });
  });
});
