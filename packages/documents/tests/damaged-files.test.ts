import { utils, write } from '@e965/xlsx';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gzipSync, zipSync } from 'fflate';
import { createTar } from 'nanotar';
import { ParseError } from '#index';
import { msg, oldDoc, oldPpt } from './old-office.ts';
import { parseSample } from './parse-sample.ts';
import { docx, epub, odt, pdf, pptx, slideShape, utf8, wordParagraph } from './sample-files.ts';

const book = utils.book_new();
utils.book_append_sheet(
  book,
  utils.aoa_to_sheet([
    ['One', 'Two'],
    [1, '2'],
  ]),
  'Sheet',
);
const oldWorkbook = new Uint8Array(write(book, { type: 'array', bookType: 'xls' }));

const samples: readonly (readonly [string, Uint8Array])[] = [
  ['a.docx', docx(wordParagraph('Hello') + wordParagraph('World'))],
  ['a.pptx', pptx(slideShape('title', 'One'), slideShape('body', 'Two', 'Three'))],
  ['a.odt', odt('<text:h>One</text:h><text:p>Two</text:p>')],
  ['a.epub', epub('<h1>One</h1>', '<p>Two</p>')],
  [
    'a.pdf',
    pdf([
      [
        [20, 'One'],
        [10, 'Two'],
      ],
    ]),
  ],
  ['a.rtf', utf8('{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}One\\par {\\b Two}\\par}')],
  [
    'a.eml',
    utf8('From: a@b.c\nTo: d@e.f\nSubject: Hi\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nHello\n--x--\n'),
  ],
  ['a.html', utf8('<!doctype html><title>One</title><p>Two<table><tr><td>1<td>2</table>')],
  ['a.xls', oldWorkbook],
  ['a.doc', oldDoc([{ text: 'One\rTwo\u0007', isCompressed: true }])],
  ['a.ppt', oldPpt([{ title: 'One', body: ['Two'], box: 'Three', notes: 'Four' }])],
  ['a.msg', msg({ texts: { '0037001F': 'One', '1000001F': 'Two' } })],
  ['a.ipynb', utf8('{"cells":[{"cell_type":"markdown","source":["# One"]},{"cell_type":"code","source":"two"}]}')],
  [
    'a.ics',
    utf8('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:One\r\nDTSTART:20260101\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'),
  ],
  ['a.csv', utf8('a,b\n1,"2"\n3,4\n')],
  ['a.adoc', utf8('= One\n\n* Two\n\n|===\n|a |b\n|===\n\n----\ncode\n----\n')],
  ['a.rst', utf8('One\n===\n\n- Two\n\n+---+---+\n| a | b |\n+---+---+\n\nThree::\n\n  code\n')],
  ['a.tex', utf8('\\section{One} Two $x$ \\begin{tabular}{l}a & b \\\\ \\end{tabular} \\"a % c\n')],
  ['a.zip', zipSync({ 'a.md': utf8('# One'), 'b/c.py': utf8('two') })],
  ['a.tgz', new Uint8Array(gzipSync(createTar([{ name: 'a.md', data: utf8('# One') }])))],
];

describe('a damaged file', () => {
  it.each(samples)('is parsed or rejected with a readable message: %s', async (name, original) => {
    const damage = fc.array(fc.tuple(fc.nat({ max: original.length - 1 }), fc.nat({ max: 255 })), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(damage, fc.integer({ min: 1, max: original.length }), async (changes, length) => {
        const bytes = Uint8Array.from(original);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          const { text } = await parseSample(bytes.subarray(0, length), name);
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toContain('\0');
        } catch (error) {
          if (!(error instanceof ParseError)) throw error;
          expect(error.message).toMatch(/^(This|The) [\s\S]*\.$/);
        }
      }),
      { numRuns: 60 },
    );
  });
});
