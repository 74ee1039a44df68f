import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  boxUnits,
  createParserPool,
  decodeWords,
  type ParsedDocument,
  type ParserPool,
  type ParserPoolOptions,
} from '#index';
import { pngOf } from '#ocr/gray-png';
import { cellRates, drawnPdf, otherPage, otherPageNames, scoreTables, tablePage, tablesOfText } from './drawn-pages.ts';
import {
  characterErrorRate,
  cropTop,
  degrade,
  type Gray,
  png,
  renderLines,
  renderPdf,
  scanPdf,
  textPdf,
  tiff,
  wrap,
} from './page-images.ts';
import { utf8 } from './sample-files.ts';

const english = wrap(
  `Every person who works here has twenty days of holiday in a year, and may take them whenever they like. A request
   needs the name of the deputy, and the first and last day. Requests of more than ten days are decided by
   the head of the department within 5 working days. Unused days expire on 31 March of the following year, unless an
   illness of more than six weeks was the reason. Travel costs are paid on receipt of the original bills: 0.30 EUR per
   kilometre by car, the second class by train, and economy class by plane below 4,000 km.`,
  80,
);
const german = wrap(
  `Für Schäden, die während der Beförderung entstehen, haftet der Frachtführer nach den gesetzlichen Vorschriften. Der
   Empfänger prüft die Ware unverzüglich und rügt äußerlich erkennbare Mängel spätestens bei der Übergabe. Größere
   Lieferungen über 1.500 kg werden nur nach schriftlicher Bestätigung angenommen; die Gebühren trägt der Käufer.`,
  80,
);

const open: ParserPool[] = [];
const ocrPool = (ocr: Partial<ParserPoolOptions['ocr']> = {}): ParserPool => {
  // Long enough for the slowest machine. Tests of the time limit set a shorter one.
  const languages = ['eng', 'deu'];
  const pool = createParserPool({ size: 1, timeoutMs: 600_000, ocr: { languages, pageTimeoutMs: 600_000, ...ocr } });
  open.push(pool);
  return pool;
};

afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

/** A picture of one line. */
const line = async (text: string, size = 11): Promise<Gray> => cropTop(await renderLines([text], size), 120);

/** Used by all tests that need no other limits, because an engine takes a second to load. */
let shared: ParserPool;
let page: Gray;
let scan: Gray;
let short: Gray;
beforeAll(async () => {
  shared = ocrPool();
  open.pop();
  page = await renderLines(english);
  scan = degrade(await renderLines(german, 11, 'Times-Roman'));
  short = await line('The pump is checked every week.');
});

afterAll(() => shared.close());

/** Returns the recognized words without their boxes. */
const summary = ({ recognition }: ParsedDocument) =>
  recognition && { ...recognition, pages: recognition.pages.map(({ page, confidence }) => ({ page, confidence })) };

describe('text recognition', () => {
  it('reads a page at 300 dpi with at most 2% wrong characters, and a bad scan with at most 6%', async () => {
    const [clean, bad] = await Promise.all([
      shared.parse({ bytes: png(page), fileName: 'a.png' }),
      shared.parse({ bytes: scanPdf([scan]), fileName: 'a.pdf' }),
    ]);
    expect(characterErrorRate(english.join(' '), clean.text)).toBeLessThanOrEqual(0.02);
    expect(characterErrorRate(german.join(' '), bad.text)).toBeLessThanOrEqual(0.06);
    expect(clean).toMatchObject({ metadata: { mimeType: 'image/png', pages: 1 }, pageOffsets: [0] });
    expect(clean.recognition?.confidence).toBeGreaterThan(85);
    expect(bad.recognition?.confidence).toBeGreaterThan(75);
  });

  it('reports where each word is on the page, also on a skewed one', async () => {
    const { recognition } = await shared.parse({ bytes: png(degrade(page)), fileName: 'a.png' });
    const words = recognition?.pages[0]?.words ?? [];
    const boxOf = (text: string) => words.find((word) => word.text === text)?.box ?? [];
    // The page is 612 × 792 points. The first line starts at (72, 32), and the skew moves it by 8 points at most.
    const [left = 0, top = 0, right = 0, bottom = 0] = boxOf('Every');
    const skew = (2 * Math.PI) / 180;
    const [x, y] = [(left + right) / 2 - 0.5, (top + bottom) / 2 - 0.5].map((share, axis) => share * [612, 792][axis]!);
    const uprightX = x! * Math.cos(skew) + y! * Math.sin(skew) + 306;
    const uprightY = y! * Math.cos(skew) - x! * Math.sin(skew) + 396;
    expect(Math.abs(uprightX - 87)).toBeLessThan(8);
    expect(Math.abs(uprightY - 41)).toBeLessThan(8);
  });

  it('keeps where the words of the text are on the page, and renders the page', async () => {
    const input = { bytes: scanPdf([scan]), fileName: 'a.pdf' };
    const { text, recognition, pageWords = [] } = await shared.parse(input);
    const [kept] = pageWords;
    const words = decodeWords(kept!.words, 0);
    const recognized = recognition?.pages[0]?.words ?? [];
    expect(words.length).toBeGreaterThan(recognized.length * 0.95);
    for (const { start, end, box } of words) {
      const written = text.slice(start, end);
      const isHere = ({ box: [left, top] }: (typeof recognized)[number]): boolean =>
        Math.abs(left * boxUnits - box[0]) <= 1 && Math.abs(top * boxUnits - box[1]) <= 1;
      expect(recognized.filter(isHere).map((word) => word.text.replace(/-$/, ''))).toContain(written.replace(/-$/, ''));
    }
    const image = await shared.renderPage(input, 1);
    expect(image.width / image.height).toBeCloseTo(kept!.width / kept!.height, 2);
    const photo = await shared.renderPage({ bytes: png(short), fileName: 'a.png' }, 1);
    expect([photo.width, photo.height]).toEqual([short.width, short.levels.length / short.width]);
    await expect(shared.renderPage(input, 2)).rejects.toMatchObject({ code: 'no_page' });
  });

  it.each([
    ['with lines between all cells, on a PNG', tablePage(5, 'grid'), 0.9],
    ['with lines between all cells, on a skewed scan with noise', tablePage(5, 'grid'), 0.75],
    ['with lines between rows, on a skewed scan with noise', tablePage(2, 'rows'), 0.75],
    ['without lines, on a skewed scan with noise', tablePage(1, 'plain'), 0.75],
  ] as const)('reads a table as a Markdown table: %s', async (name, drawn, rate) => {
    const clean = await renderPdf(drawnPdf([drawn]));
    const isPng = name.includes('PNG');
    const bytes = isPng ? png(clean) : scanPdf([degrade(clean)]);
    const { text } = await shared.parse({ bytes, fileName: isPng ? 'a.png' : 'a.pdf' });
    const { recall, precision } = cellRates([scoreTables(drawn.tables, tablesOfText(text))]);
    expect(recall).toBeGreaterThanOrEqual(rate);
    expect(precision).toBeGreaterThanOrEqual(rate);
  });

  it.each(['two columns', 'addresses', 'contents without leaders'])(
    'makes no table of other text: %s',
    async (kind) => {
      const drawn = otherPage(1, otherPageNames.indexOf(kind));
      const { text } = await shared.parse({ bytes: scanPdf([await renderPdf(drawnPdf([drawn]))]), fileName: 'a.pdf' });
      expect(tablesOfText(text)).toEqual([]);
    },
  );

  it('reads only the pages of a PDF that have no text, in their order', async () => {
    const text = ['This page has a text layer, which is better than anything that is recognized in a picture.'];
    const document = await shared.parse({ bytes: scanPdf([text, short, undefined, text]), fileName: 'mixed.pdf' });
    expect(document.text).toBe(`${text}\n\nThe pump is checked every week.\n\n${text}`);
    expect(document.metadata.pages).toBe(4);
    expect(summary(document)).toEqual({
      confidence: expect.any(Number),
      pages: [{ page: 2, confidence: expect.any(Number) }],
      unreadPages: [],
    });
  });

  it('reads all pages of a TIFF up to the limit, and reports the others', async () => {
    const pages = await Promise.all(['First page', 'Second page', 'Third page'].map((text) => line(text, 20)));
    const document = await ocrPool({ maxPages: 2 }).parse({ bytes: tiff(pages), fileName: 'fax.tif' });
    expect(document.text).toBe('First page\n\nSecond page');
    expect(document.recognition?.unreadPages).toEqual([3]);
    expect(document.metadata).toEqual({ mimeType: 'image/tiff', pages: 3 });
  });

  it('reads WebP pictures, and JPEG photos as their camera was held', async () => {
    const picture = (name: string) => readFile(join(import.meta.dirname, 'pictures', name));
    const photo = await picture('turned.jpg');
    // EXIF data with one entry: orientation 6, so that the picture must be turned by 90° to be upright.
    const exif = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0', 'latin1');
    const segment = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
    const turned = Buffer.concat([photo.subarray(0, 2), segment, exif, photo.subarray(2)]);
    for (const bytes of [await picture('line.webp'), turned]) {
      expect(await shared.parse({ bytes, fileName: 'picture' })).toMatchObject({ text: 'The pump is checked weekly.' });
    }
  });

  it('keeps the letters of a table whose image declares 72 dpi', async () => {
    const cells = [
      ['Total bill', 'Delivered'],
      ['Little lid', 'Hill title'],
      ['Add detail', 'Filled'],
    ];
    const texts = cells.flatMap((row, index) =>
      row.map((text, column) => ({ x: 70 + column * 200, y: 715 - index * 40, size: 12, text })),
    );
    const across = [740, 700, 660, 620].map((y) => ({ from: [50, y], to: [450, y] }) as const);
    const down = [50, 250, 450].map((x) => ({ from: [x, 740], to: [x, 620] }) as const);
    const image = cropTop(await renderPdf(drawnPdf([{ texts, rules: [...across, ...down] }])), 200);
    for (const dpi of [undefined, 72, 96, 300]) {
      const { text } = await shared.parse({ bytes: png(image, dpi), fileName: 'table.png' });
      expect([dpi, tablesOfText(text)]).toEqual([dpi, [cells]]);
    }
  });

  it('recognizes nothing in a file with text on every page', async () => {
    const document = await shared.parse({ bytes: textPdf([english]), fileName: 'a.pdf' });
    expect(document.recognition).toBeUndefined();
  });

  it('rejects a picture without text, and a PDF whose pictures have none', async () => {
    const blank = { ...short, levels: new Uint8Array(short.levels.length).fill(255) };
    for (const [bytes, fileName] of [
      [png(blank), 'a.png'],
      [png(degrade(blank, { noise: 120 })), 'noise.png'],
      [scanPdf([blank]), 'a.pdf'],
    ] as const) {
      await expect(shared.parse({ bytes, fileName })).rejects.toMatchObject({ code: 'no_text' });
    }
  });

  it('rejects a picture with too many pixels without decoding it, and a damaged one', async () => {
    const bomb = pngOf(30_000, 30_000, new Uint8Array(1_000));
    await expect(shared.parse({ bytes: bomb, fileName: 'bomb.png' })).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('30000 × 30000'),
    });
    const cut = png(short).subarray(0, 200);
    await expect(shared.parse({ bytes: cut, fileName: 'cut.png' })).rejects.toMatchObject({ code: 'corrupt_file' });
  });

  it('is off without languages: pictures are unsupported, and scans have no text', async () => {
    const pool = createParserPool({ size: 1, timeoutMs: 600_000 });
    open.push(pool);
    const picture = pool.parse({ bytes: png(short), fileName: 'a.png' });
    await expect(picture).rejects.toMatchObject({ code: 'unsupported_format' });
    await expect(pool.parse({ bytes: scanPdf([short]), fileName: 'a.pdf' })).rejects.toMatchObject({ code: 'no_text' });
  });

  it('stops a page that takes too long: the rest of the file is read, and without any text the file fails', async () => {
    const pool = ocrPool({ pageTimeoutMs: 1 });
    const text = ['This page has a text layer, which is better than anything that is recognized in a picture.'];
    const mixed = await pool.parse({ bytes: scanPdf([text, short]), fileName: 'mixed.pdf' });
    expect(mixed).toMatchObject({ text: text[0], recognition: { pages: [], unreadPages: [2] } });
    await expect(pool.parse({ bytes: scanPdf([short]), fileName: 'slow.pdf' })).rejects.toMatchObject({
      code: 'timeout',
    });
  });

  it('lets a file with text and a short scan overtake a long scan', async () => {
    const pages = await Promise.all(english.slice(0, 3).map((text) => line(text)));
    const ended: string[] = [];
    const recognizing = Promise.withResolvers<void>();
    const long = shared
      .parse({ bytes: scanPdf(pages), fileName: 'long.pdf' }, { onRecognize: recognizing.resolve })
      .then(() => ended.push('long'));
    await recognizing.promise;
    const parse = async (bytes: Uint8Array, fileName: string) => {
      await shared.parse({ bytes, fileName });
      ended.push(fileName);
    };
    await Promise.all([long, parse(utf8('Hello'), 'note.txt'), parse(scanPdf([short]), 'short.pdf')]);
    expect(ended).toEqual(['note.txt', 'short.pdf', 'long']);
  });

  it('reads other files during a scan of 500 pages, reports its progress, and stops it on request', async () => {
    const pages = await Promise.all(english.slice(0, 5).map((text) => line(text)));
    const long = scanPdf(Array.from({ length: 500 }, (_, index) => pages[index % pages.length]));
    const abort = new AbortController();
    const started = Promise.withResolvers<void>();
    let reports = 0;
    let isRunning = true;
    const onPage = () => {
      reports++;
      started.resolve();
    };
    const scan = shared.parse({ bytes: long, fileName: 'long.pdf' }, { signal: abort.signal, onPage }).finally(() => {
      isRunning = false;
    });
    const stopped = expect(scan).rejects.toThrow('not needed');
    await started.promise;
    for (let index = 0; index < 20; index++) {
      const text = `Note ${index}`;
      await expect(shared.parse({ bytes: utf8(text), fileName: 'note.txt' })).resolves.toMatchObject({ text });
    }
    await expect(shared.parse({ bytes: scanPdf([short]), fileName: 'a.pdf' })).resolves.toMatchObject({
      text: 'The pump is checked every week.',
    });
    expect(isRunning).toBe(true);
    // Files take turns, so the long scan read at least one page before the short one ended.
    expect(reports).toBeGreaterThanOrEqual(2);
    abort.abort(new Error('not needed'));
    await stopped;
    await expect(shared.parse({ bytes: scanPdf([short]), fileName: 'b.pdf' })).resolves.toMatchObject({
      text: 'The pump is checked every week.',
    });
  });

  it('stops when its signal aborts', async () => {
    const abort = new AbortController();
    const parsing = ocrPool().parse(
      { bytes: scanPdf([short, short]), fileName: 'a.pdf' },
      { signal: abort.signal, onPage: () => abort.abort(new Error('not needed')) },
    );
    await expect(parsing).rejects.toThrow('not needed');
  });

  it('needs the data of its languages', () => {
    expect(() => ocrPool({ languages: ['xyz'] })).toThrow(RangeError);
    expect(() => ocrPool({ languages: ['xyz'] })).toThrow(/@tesseract\.js-data\/xyz/);
    expect(() => ocrPool({ languages: ['../eng'] })).toThrow(RangeError);
  });
});
