import { describe, expect, it } from '@jest/globals';
import { parseSample } from '../parse-sample.ts';
import { pdf } from '../sample-files.ts';

const running = (page: number): readonly [number, string][] => [[8, `Handbook - page ${page}`]];

describe('parsePdf', () => {
  it('keeps pages, joins lines into paragraphs and treats larger type as headings', async () => {
    const file = pdf([
      [
        [20, 'Leave'],
        [10, 'Every person who works here has twenty days of holi-'],
        [10, 'day in a year, and may take them whenever they like to do so'],
        [10, 'without asking.'],
        [10, '- a bullet'],
      ],
      [
        [20, 'Pay'],
        [10, 'At the end of the month.'],
      ],
    ]);
    const { text, title, metadata, pageOffsets } = await parseSample(file, 'a.pdf');
    expect(text).toBe(
      '# Leave\n\nEvery person who works here has twenty days of holiday in a year, and may take them whenever they like to do so without asking.\n\n- a bullet\n\n# Pay\n\nAt the end of the month.',
    );
    expect(pageOffsets).toEqual([0, text.indexOf('# Pay')]);
    expect({ title, ...metadata }).toEqual({
      title: 'A PDF title',
      author: 'Alan Turing',
      pages: 2,
      createdAt: '2024-02-03T04:05:06.000Z',
      mimeType: 'application/pdf',
    });
  });

  it('drops running heads with page numbers', async () => {
    const pages = ['One thing.', 'Another thing.', 'A third thing.'].map((text, i) => [
      ...running(i + 1),
      [10, text] as const,
    ]);
    expect((await parseSample(pdf(pages), 'a.pdf')).text).toBe('One thing.\n\nAnother thing.\n\nA third thing.');
  });

  it('rejects a PDF without text and recommends OCR', async () => {
    await expect(parseSample(pdf([[]]), 'a.pdf')).rejects.toMatchObject({
      code: 'no_text',
      message: expect.stringContaining('OCR'),
    });
  });

  it('rejects a password-protected PDF', async () => {
    const key = '<0000000000000000000000000000000000000000000000000000000000000000>';
    const encrypted = pdf(
      [[[10, 'x']]],
      `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >> /ID [<00> <00>]`,
    );
    await expect(parseSample(encrypted, 'a.pdf')).rejects.toMatchObject({ code: 'encrypted' });
  });

  it('rejects a PDF that has only a header as damaged', async () => {
    await expect(parseSample('%PDF-1.7\n%\n', 'a.pdf')).rejects.toMatchObject({ code: 'corrupt_file' });
  });
});
