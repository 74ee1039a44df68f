import { describe, expect, it } from '@jest/globals';
import { parseSample } from '../parse-sample.ts';

const rtf = (body: string): string =>
  `{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial Cyr;}}{\\stylesheet{\\s0 Normal;}{\\s1 heading 1;}}{\\info{\\title Travel}{\\author Ada}}{\\*\\generator X;}${body}}`;

describe('parseRtf', () => {
  it('keeps headings, lists and tables, and leaves out everything that is not text', async () => {
    const { text, title, metadata } = await parseSample(
      rtf(`{\\header Page 1\\par}\\pard\\s1 Leave\\par\\pard Twenty {\\b days}\\line a year{\\v hidden}.\\par
{\\listtext\\bullet\\tab}One\\par\\pard
\\trowd\\intbl A\\cell B\\cell\\row\\trowd\\intbl 1\\cell 2\\cell\\row\\pard{\\pict\\bin4 }}}}}End\\par`),
      'a.rtf',
    );
    expect(text).toBe('# Leave\n\nTwenty days\na year.\n\n- One\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nEnd');
    expect({ title, author: metadata.author }).toEqual({ title: 'Travel', author: 'Ada' });
  });

  it('reads code pages, Unicode escapes and escaped braces', async () => {
    const { text } = await parseSample(
      rtf("caf\\'e9 {\\f1\\'cf\\'f0\\'e8} \\u8364?\\u-10179?\\u-8704? \\{x\\}\\par"),
      'a.rtf',
    );
    expect(text).toBe('café При €😀 {x}');
  });
});
