import { deflateSync } from 'node:zlib';
import { grayPng, pngChunk } from '#ocr/gray-png';
import { PdfPages } from '#ocr/pdf-pages';
import { pdf } from './sample-files.ts';

/** A picture in 256 levels of gray. */
export interface Gray {
  readonly width: number;
  readonly height: number;
  readonly levels: Uint8Array;
  readonly dpi: number;
}

export const latin1Escape = (text: string): string =>
  text
    .replace(/[()\\]/g, '\\$&')
    .replace(/[\u0080-\u00ff]/g, (letter) => `\\${letter.charCodeAt(0).toString(8)}`)
    .replace(/[^\n -~]/g, '?');

/** Breaks a text into lines of at most this many characters. */
export const wrap = (text: string, maxChars: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line !== '' && line.length + word.length + 1 > maxChars) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
};

/** Returns a PDF with a text layer; its letters are those of Latin-1. */
export const textPdf = (pages: readonly (readonly string[])[], size = 11, font = 'Helvetica'): Uint8Array =>
  pdf(
    pages.map((lines) => lines.map((line) => [size, latin1Escape(line)] as const)),
    '',
    font,
  );

/** Returns the top of a page, down to this many points: recognition takes as long as the picture is large. */
export const cropTop = ({ width, levels, dpi }: Gray, points: number): Gray => {
  const height = Math.round((points * dpi) / 72);
  return { width, height, dpi, levels: levels.subarray(0, width * height) };
};

/** Renders lines of text as a page at 300 dpi. */
export const renderLines = (lines: readonly string[], size = 11, font = 'Helvetica'): Promise<Gray> =>
  renderPdf(textPdf([lines], size, font));

/** Renders the first page of a PDF at 300 dpi. */
export const renderPdf = async (bytes: Uint8Array): Promise<Gray> => {
  using document = await PdfPages.open(bytes);
  const { image, dpi } = document.render(1);
  if (image === undefined) throw new Error('The page is empty.');
  const header = /^P5\n(\d+) (\d+)\n255\n/.exec(Buffer.from(image.subarray(0, 40)).toString('latin1'));
  if (header === null) throw new Error('The page is not a PGM file.');
  const [whole, width, height] = header;
  return { width: Number(width), height: Number(height), levels: image.slice(whole.length), dpi };
};

/** Returns numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export const randomNumbers = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const white = 255;

/** Makes a page look like a bad scan: skewed, at half its resolution, with normally distributed noise. */
export const degrade = (page: Gray, { skewDegrees = 2, noise = 25, seed = 1 } = {}): Gray => {
  const [width, height] = [Math.floor(page.width / 2), Math.floor(page.height / 2)];
  const levels = new Uint8Array(width * height);
  const angle = (skewDegrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const random = randomNumbers(seed);
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= page.width || y >= page.height ? white : (page.levels[y * page.width + x] ?? white);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = [2 * x - page.width / 2, 2 * y - page.height / 2];
      const sourceX = Math.round(fromX * cos + fromY * sin + page.width / 2);
      const sourceY = Math.round(fromY * cos - fromX * sin + page.height / 2);
      const mean =
        (at(sourceX, sourceY) + at(sourceX + 1, sourceY) + at(sourceX, sourceY + 1) + at(sourceX + 1, sourceY + 1)) / 4;
      // The sum of four uniform numbers is close to normal; its standard deviation is 0.58.
      const deviation = (random() + random() + random() + random() - 2) / 0.58;
      levels[y * width + x] = Math.max(0, Math.min(white, mean + deviation * noise));
    }
  }
  return { width, height, levels, dpi: page.dpi / 2 };
};

/** Returns the chunk of a PNG that declares its resolution. */
const resolutionChunk = (dpi: number): Buffer => {
  const data = Buffer.alloc(9);
  const perMeter = Math.round(dpi / 0.0254);
  data.writeUInt32BE(perMeter, 0);
  data.writeUInt32BE(perMeter, 4);
  data.set([1], 8);
  return pngChunk('pHYs', data);
};

/** Returns a page as a PNG that declares this resolution, or none. */
export const png = ({ width, height, levels }: Gray, dpi?: number): Uint8Array =>
  grayPng(width, height, levels, dpi === undefined ? [] : [resolutionChunk(dpi)]);

/** Returns pages as a TIFF without compression. */
export const tiff = (pages: readonly Gray[]): Uint8Array => {
  const entries = 9;
  const directoryBytes = 2 + entries * 12 + 4;
  const parts: Buffer[] = [];
  const header = Buffer.alloc(8);
  header.write('II*\0', 'latin1');
  let at = header.length;
  header.writeUInt32LE(at, 4);
  for (const [index, { width, height, levels }] of pages.entries()) {
    const directory = Buffer.alloc(directoryBytes);
    const next = at + directoryBytes + levels.length + (levels.length % 2);
    directory.writeUInt16LE(entries, 0);
    const fields = [
      [256, 4, width],
      [257, 4, height],
      [258, 3, 8],
      [259, 3, 1],
      [262, 3, 1],
      [273, 4, at + directoryBytes],
      [277, 3, 1],
      [278, 4, height],
      [279, 4, levels.length],
    ] as const;
    for (const [position, [tag, type, value]] of fields.entries()) {
      const field = 2 + position * 12;
      directory.writeUInt16LE(tag, field);
      directory.writeUInt16LE(type, field + 2);
      directory.writeUInt32LE(1, field + 4);
      directory.writeUInt32LE(value, field + 8);
    }
    directory.writeUInt32LE(index + 1 === pages.length ? 0 : next, directoryBytes - 4);
    parts.push(directory, Buffer.from(levels), Buffer.alloc(levels.length % 2));
    at = next;
  }
  return Buffer.concat([header, ...parts]);
};

/** A page of a PDF: a scan, lines of text, or nothing. */
export type ScannedPage = Gray | readonly string[] | undefined;

/** Returns a PDF whose pages are pictures, lines of text, or empty. */
export const scanPdf = (pages: readonly ScannedPage[]): Uint8Array => {
  const objects: Buffer[] = [];
  const add = (body: string, stream?: Uint8Array): number =>
    objects.push(
      stream === undefined
        ? Buffer.from(body)
        : Buffer.concat([Buffer.from(`${body}\nstream\n`), stream, Buffer.from('\nendstream')]),
    );
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add('');
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  const kids = pages.map((page) => {
    let content = '';
    let resources = '';
    let [width, height] = [612, 792];
    if (page !== undefined && 'levels' in page) {
      const data = deflateSync(page.levels, { level: 1 });
      const image = add(
        `<< /Type /XObject /Subtype /Image /Width ${page.width} /Height ${page.height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode /Length ${data.length} >>`,
        data,
      );
      [width, height] = [(page.width * 72) / page.dpi, (page.height * 72) / page.dpi];
      content = `q ${width} 0 0 ${height} 0 0 cm /Im Do Q`;
      resources = `/XObject << /Im ${image} 0 R >>`;
    } else if (page !== undefined) {
      content = page
        .map((line, index) => `BT /F1 11 Tf 72 ${720 - index * 14} Td (${latin1Escape(line)}) Tj ET`)
        .join('\n');
      resources = '/Font << /F1 3 0 R >>';
    }
    const contents = add(`<< /Length ${content.length} >>`, Buffer.from(content));
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << ${resources} >> /Contents ${contents} 0 R >>`,
    );
  });
  objects[1] = Buffer.from(
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`,
  );
  const parts = [Buffer.from('%PDF-1.4\n')];
  let length = parts[0]?.length ?? 0;
  const offsets = objects.map((body, index) => {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    const line = `${String(length).padStart(10, '0')} 00000 n \n`;
    parts.push(part);
    length += part.length;
    return line;
  });
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF`;
  // PDF.js rejects a Buffer.
  return new Uint8Array(Buffer.concat([...parts, Buffer.from(xref + trailer)]));
};

const words = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Returns the character error rate of a text: edits (Levenshtein) per expected character. */
export const characterErrorRate = (expected: string, actual: string): number => {
  const [from, to] = [words(expected), words(actual)];
  let previous = Uint32Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const current = new Uint32Array(to.length + 1);
    current[0] = i;
    for (let j = 1; j <= to.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      current[j] = Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
    }
    previous = current;
  }
  return (previous[to.length] ?? 0) / Math.max(1, from.length);
};
