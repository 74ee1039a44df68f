import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { detectMimeType } from '#detect/detect-mime-type';
import { docx, epub, odt, pdf, pptx, slideShape, utf8, wordParagraph } from './sample-files.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const ole = (stream: string): Uint8Array =>
  Buffer.concat([bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), Buffer.alloc(600), Buffer.from(stream, 'utf16le')]);

describe('detectMimeType', () => {
  it.each([
    ['a PDF', pdf([[[10, 'x']]]), 'a.txt', 'application/pdf'],
    ['a PDF after junk', bytes('\n\n%PDF-1.4\n%'), 'a', 'application/pdf'],
    ['a Word document', docx(wordParagraph('x')), 'a.zip', /wordprocessingml/],
    ['a presentation', pptx(slideShape('title', 'x')), 'a', /presentationml/],
    ['an OpenDocument text', odt(''), 'a.doc', 'application/vnd.oasis.opendocument.text'],
    ['a book', epub('x'), 'a.bin', 'application/epub+zip'],
    ['a rich text', utf8('{\\rtf1 x}'), 'a.doc', 'application/rtf'],
    ['an old Word document', ole('WordDocument'), 'a.docx', 'application/msword'],
    ['an old workbook', ole('Workbook'), 'a', 'application/vnd.ms-excel'],
    ['an encrypted Office document', ole('EncryptedPackage'), 'a.docx', /encrypted/],
    ['an image', bytes('\x89PNG\r\n\x1a\n'), 'a.md', 'image/png'],
    ['a web page without an extension', utf8('<!-- x -->\n<!DOCTYPE html><p>'), 'page', 'text/html'],
    ['a web page that is called text', utf8('<html><p>'), 'a.txt', 'text/html'],
  ])('detects %s by its content', (_, content, name, expected) => {
    const type = detectMimeType(content, name);
    if (expected instanceof RegExp || typeof expected !== 'string') expect(type).toMatch(expected);
    else expect(type).toBe(expected);
  });

  it.each([
    ['a.md', 'text/markdown'],
    ['A.MD', 'text/markdown'],
    ['a.csv', 'text/csv'],
    ['dir.md/a.ts', 'text/x-typescript'],
    ['a.yaml', 'application/yaml'],
    ['Dockerfile', 'text/x-dockerfile'],
    ['a.unknown', 'text/plain'],
    ['a.rest', 'text/plain'],
    ['a.constructor', 'text/plain'],
    ['a.__proto__', 'text/plain'],
    ['a.pdf', 'text/plain'],
    ['.md', 'text/plain'],
  ])('uses the extension of a text: %s', (name, expected) => {
    expect(detectMimeType(utf8('Just a text.'), name)).toBe(expected);
  });

  it('takes an archive of documents, and of their parts, for an archive', () => {
    const parts = ['word/document.xml', 'ppt/presentation.xml', 'xl/workbook.xml', '[Content_Types].xml', 'mimetype'];
    const part = fc.constantFrom(...parts, 'META-INF/container.xml');
    const names = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'tests/fixtures'), part).map((path) => path.join('/')));
    const documents = [docx(wordParagraph('x')), pptx(slideShape('title', 'x')), odt(''), epub('x')];
    const level = fc.constantFrom(0, 6) as fc.Arbitrary<0 | 6>;
    fc.assert(
      fc.property(names, fc.subarray(documents), part, level, (paths, inside, mentioned, level) => {
        const files = Object.fromEntries([
          ['README.md', utf8(`It reads ${mentioned}.`)],
          ...paths.map((path) => [path, utf8('application/epub+zip')]),
          ...inside.map((bytes, index) => [`${index}.bin`, bytes]),
        ]);
        for (const name of ['a.zip', 'a', 'v1.2', 'project-1.0'])
          expect(detectMimeType(zipSync(files, { level }), name)).toBe('application/zip');
      }),
    );
  });

  it('finds the parts of a document with bytes after it', () => {
    const file = docx(wordParagraph('x'));
    expect(detectMimeType(Buffer.concat([file, Buffer.alloc(90)]), 'a')).toMatch(/wordprocessingml/);
  });

  it('reads a damaged archive as one', () => {
    const bytes = docx(wordParagraph('x'));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 120 }), fc.nat({ max: 255 }))), fc.nat(), (changes, cut) => {
        const damaged = bytes.slice(0, bytes.length - (cut % 30));
        for (const [at, value] of changes) damaged[Math.max(4, damaged.length - 1 - at)] = value;
        expect(detectMimeType(damaged, 'a')).toMatch(/^application\//);
      }),
    );
  });

  it.each([
    ['= Guide\n\nText.', 'text/asciidoc'],
    ['// Draft\n:toc:\n\nText.', 'text/asciidoc'],
    ['-----BEGIN PGP SIGNATURE-----\n\niQEz\n=aB3d\n', 'text/plain'],
    ['ncols 4\nnrows 2\n1 2 3 4\n', 'text/plain'],
  ])('takes a file called .asc for AsciiDoc only if it begins like it: %j', (content, expected) => {
    expect(detectMimeType(utf8(content), 'a.asc')).toBe(expected);
  });

  it('returns application/octet-stream for unknown binary content', () => {
    expect(detectMimeType(Uint8Array.of(1, 2, 3, 0, 4, 5, 0, 0, 9), 'a.txt')).toBe('application/octet-stream');
    expect(detectMimeType(new Uint8Array(), 'a.csv')).toBe('text/csv');
  });
});
