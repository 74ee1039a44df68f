import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { createTar } from 'nanotar';
import { lowerHeadings, safePath } from '#formats/archive/parse-archive';
import { detectMimeType, ParseError } from '#index';
import { parseSample } from '../parse-sample.ts';
import { docx, pdf, utf8, wordParagraph } from '../sample-files.ts';

interface TarPart {
  readonly name: string;
  readonly data?: Uint8Array;
  readonly type?: string;
  /** The beginning of the path, which POSIX archives have in a field of its own. */
  readonly prefix?: string;
  /** `ustar`, or nothing in the oldest archives. */
  readonly mark?: string;
}

/** Returns a tar archive of these parts, written as they are. */
const rawTar = (parts: readonly TarPart[]): Uint8Array =>
  Buffer.concat([
    ...parts.flatMap(({ name, data = new Uint8Array(), type = '0', prefix = '', mark = 'ustar\x0000' }) => {
      const header = Buffer.alloc(512);
      header.write(name, 0, 100);
      header.write('0000644\0', 100);
      header.write(`${data.length.toString(8).padStart(11, '0')} `, 124);
      header.write(type, 156, 'latin1');
      header.write(mark, 257, 'latin1');
      header.write(prefix, 345, 155);
      header.fill(' ', 148, 156);
      const sum = header.reduce((total, byte) => total + byte, 0);
      header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
      return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
    }),
    Buffer.alloc(1_024),
  ]);

const paxRecord = (key: string, value: string): string => {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + 1;
  while (String(length).length + rest !== length) length++;
  return `${length} ${key}=${value}\n`;
};

/** The ways in which programs write a path. */
const pathWriters: readonly ((path: string, data: Uint8Array) => readonly TarPart[])[] = [
  (path, data) => [
    { name: '././@LongLink', type: 'L', data: utf8(`${path}\0`) },
    { name: path, data },
  ],
  (path, data) => [
    { name: 'PaxHeader', type: 'x', data: utf8(paxRecord('mtime', '1.5') + paxRecord('path', path)) },
    { name: 'x', data },
  ],
  (path, data) => [{ name: path.slice(path.lastIndexOf('/') + 1), prefix: path.slice(0, path.lastIndexOf('/')), data }],
  (path, data) => [{ name: path, data, type: '\0', mark: '' }],
];

type Files = Readonly<Record<string, string | Uint8Array>>;

const bytesOf = (content: string | Uint8Array): Uint8Array => (typeof content === 'string' ? utf8(content) : content);
const zip = (files: Files): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, bytesOf(content)])));
const tar = (files: Files): Uint8Array =>
  createTar(Object.entries(files).map(([name, content]) => ({ name, data: bytesOf(content) })));
const tarGz = (files: Files): Uint8Array => new Uint8Array(gzipSync(tar(files)));

const files: Files = {
  'app/src/main.py': 'print(1)\n',
  'app/README.md': '# App\n\nHello.\n\n```md\n# Not a heading\n```\n',
  'app/docs/guide.docx': docx(wordParagraph('Open the valve.')),
  'app/guide.pdf': pdf([[[12, 'Close the valve.']]]),
  'app/logo.png': Buffer.from('\x89PNG', 'latin1'),
  'app/old.zip': zip({ 'a.txt': 'hidden' }),
  'app/.git/config': 'secret',
  'app/node_modules/x/index.js': 'library()',
};

const expected = [
  '# app/README.md',
  '## App',
  'Hello.',
  '```md\n# Not a heading\n```',
  '# app/docs/guide.docx',
  'Open the valve.',
  '# app/guide.pdf',
  'Close the valve.',
  '# app/src/main.py',
  '```python\nprint(1)\n```',
  'Files that were not read: app/logo.png, app/old.zip.',
].join('\n\n');

describe('parseArchive', () => {
  it.each([
    ['a.zip', zip(files), 'application/zip'],
    ['a.tar', tar(files), 'application/x-tar'],
    ['a.tar.gz', tarGz(files), 'application/gzip'],
    ['a.tgz', tarGz(files), 'application/gzip'],
    ['download', zip(files), 'application/zip'],
  ])('writes a section per file, in the order of their paths: %s', async (name, bytes, mimeType) => {
    const { text, metadata } = await parseSample(bytes, name);
    expect(text).toBe(expected);
    expect(metadata).toEqual({ mimeType });
  });

  it('reads a compressed file like the file', async () => {
    const report = new Uint8Array(gzipSync(pdf([[[12, 'One']], [[12, 'Two']]])));
    const document = await parseSample(report, 'report.pdf.gz');
    expect(document).toMatchObject({ text: 'One\n\nTwo', pageOffsets: [0, 5], title: 'A PDF title' });
    await expect(parseSample(new Uint8Array(gzipSync('a,b\n1,2\n')), 'a.csv.gz')).resolves.toMatchObject({
      text: '| a | b |\n| --- | --- |\n| 1 | 2 |',
    });
  });

  it('does not open packages in ZIP format, and archives in other files', async () => {
    const rejected = { code: 'unsupported_format' };
    await expect(parseSample(zip({ 'META-INF/MANIFEST.MF': 'a: b' }), 'a.jar')).rejects.toMatchObject(rejected);
    await expect(parseSample(zip({ 'a.zip': zip({ 'a.txt': 'a' }) }), 'b.zip')).rejects.toMatchObject(rejected);
    expect(detectMimeType(zip({ a: 'b' }), 'a.jar')).toBe('application/zip');
  });

  it('rejects an archive without files to read, and a damaged one', async () => {
    await expect(parseSample(zip({}), 'a.zip')).rejects.toMatchObject({ code: 'no_text' });
    await expect(parseSample(zip({ '.git/a': 'b' }), 'a.zip')).rejects.toMatchObject({ code: 'no_text' });
    const cut = tarGz(files).subarray(0, 300);
    await expect(parseSample(cut, 'a.tar.gz')).rejects.toMatchObject({ code: 'corrupt_file' });
  });

  it('stops at the limit on unpacked bytes, and keeps the files before it', async () => {
    const big = new Uint8Array(11_000_000).fill(97);
    const document = await parseSample(zip({ 'a.txt': 'First', 'b.txt': big }), 'a.zip');
    expect(document.text).toBe('# a.txt\n\nFirst\n\nFiles that were not read: b.txt.');
    await expect(parseSample(tarGz({ 'b.txt': big }), 'a.tgz')).rejects.toMatchObject({ code: 'too_large' });
  });

  it('reads the first 1,000 files, and lists some of the others', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1_100 }, (_, index) => [`${String(index).padStart(4, '0')}.txt`, `Text ${index}`]),
    );
    const { text } = await parseSample(zip(many), 'a.zip');
    expect(text).toContain('Text 999');
    expect(text).not.toContain('Text 1000');
    expect(text).toMatch(/Files that were not read: 1000\.txt, .*1049\.txt, and 50 more\.$/);
  });

  it('keeps paths inside the archive', () => {
    expect(safePath('../../etc\\passwd')).toBe('etc/passwd');
    expect(safePath('/a/./b/..//c\n# d')).toBe('a/b/c # d');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const path = safePath(name);
        expect(path.isWellFormed()).toBe(true);
        expect(path).not.toMatch(/^\/|(?:^|\/)\.\.(?:\/|$)|\n/);
      }),
    );
  });

  it('lowers headings, but not lines of code', () => {
    expect(lowerHeadings('# A\n```\n# b\n~~~\n```\n###### C\n#tag')).toBe('## A\n```\n# b\n~~~\n```\n###### C\n#tag');
  });

  it('reads or rejects any damaged archive', async () => {
    const samples = [zip(files), tar(files), tarGz(files)].map(
      (bytes, index) => [bytes, ['a.zip', 'a.tar', 'a.tgz'][index]!] as const,
    );
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        damage,
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        async ([original, name], changes, share) => {
          const bytes = Uint8Array.from(original);
          // Headers are at the beginning of each file, so most changes are there.
          for (const [at, value] of changes) bytes[at % (at % 2 === 0 ? 600 : bytes.length)] = value;
          try {
            const { text } = await parseSample(bytes.subarray(0, Math.ceil(bytes.length * share)), name);
            expect(text.isWellFormed()).toBe(true);
          } catch (error) {
            if (!(error instanceof ParseError)) throw error;
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads the paths and files of every kind of tar archive', async () => {
    const part = fc.stringMatching(/^[a-zü]{1,20}$/);
    const file = fc.record({
      folder: part,
      name: part,
      text: fc.stringMatching(/^[a-z]{1,600}$/),
      kind: fc.nat({ max: 3 }),
    });
    const entries = fc.uniqueArray(file, { minLength: 1, maxLength: 6, selector: ({ name }) => name });
    await fc.assert(
      fc.asyncProperty(entries, fc.boolean(), async (each, isZipped) => {
        const parts = each.flatMap(
          ({ folder, name, text, kind }) => pathWriters[kind]?.(`${folder}/${name}.txt`, utf8(text)) ?? [],
        );
        const bytes = rawTar([{ name: 'all', type: '5' }, ...parts, { name: 'link', type: '2' }]);
        const { text } = await parseSample(isZipped ? new Uint8Array(gzipSync(bytes)) : bytes, 'a.tar');
        for (const { folder, name, text: own } of each) expect(text).toContain(`# ${folder}/${name}.txt\n\n${own}`);
        expect(text.match(/^# /gm)).toHaveLength(each.length);
      }),
    );
  });

  it('names the sparse files of a tar archive as unread', async () => {
    const holes = utf8('x'.repeat(700));
    const bytes = rawTar([
      { name: 'a.img', type: 'S', data: holes },
      { name: 'h', type: 'x', data: utf8(paxRecord('GNU.sparse.major', '1') + paxRecord('GNU.sparse.name', 'b.img')) },
      { name: 'GNUSparseFile.0/b.img', data: holes },
      { name: 'c.txt', data: utf8('Text.') },
    ]);
    const { text } = await parseSample(bytes, 'a.tar');
    expect(text).toBe('# c.txt\n\nText.\n\nFiles that were not read: a.img, b.img.');
  });

  it('stops reading a tar archive with very many files', async () => {
    const many = rawTar(Array.from({ length: 60_000 }, (_, index) => ({ name: `f${index}.txt` })));
    const start = performance.now();
    await expect(parseSample(many, 'a.tar')).rejects.toMatchObject({ code: 'no_text' });
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('rejects a tar archive with negative sizes', async () => {
    const bytes = tar({ 'a.txt': 'x'.repeat(2_000), 'b.txt': 'y' });
    bytes.set(strToU8('-0000001000'), 124);
    await expect(parseSample(bytes, 'a.tar')).rejects.toBeInstanceOf(ParseError);
  });
});
