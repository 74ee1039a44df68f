import type { CompoundFile } from '#compound/compound-file';
import { ParseError } from '#parse-error';

// The binary format of Word 97 to 2003 (MS-DOC): the text in pieces, and the properties of its
// paragraphs. Sections and names are those of the specification.

/** A character range of the document that is stored in one place. */
interface Piece {
  /** The first character and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** The byte offset in the stream WordDocument. */
  readonly offset: number;
  readonly bytesPerChar: 1 | 2;
}

interface ParagraphProperties {
  /** The index of the style; 1 to 9 are the headings (section 2.7.2). */
  readonly style: number;
  readonly isInTable: boolean;
  /** The paragraph ends a row of a table. */
  readonly endsRow: boolean;
  readonly isListItem: boolean;
  /** 0 for the outermost list. */
  readonly listLevel: number;
}

const NORMAL: ParagraphProperties = { style: 0, isInTable: false, endsRow: false, isListItem: false, listLevel: 0 };

/** A range of bytes of the stream WordDocument with the properties of the paragraphs that end in it. */
interface ParagraphRange {
  readonly from: number;
  readonly to: number;
  readonly properties: ParagraphProperties;
}

/** The lengths of the parts of the text, which follow each other (section 2.3.1 ff.). */
interface Parts {
  readonly main: number;
  readonly footnotes: number;
  readonly headers: number;
  readonly comments: number;
  readonly endnotes: number;
  readonly textBoxes: number;
}

const WORD_97 = 0x00c1;
const PAGE = 512;

const damaged = (): ParseError =>
  new ParseError('corrupt_file', 'This Word document is damaged. Save it again and upload the new copy.');

// --- Text ---

/** Reads the pieces of the text from the Clx (sections 2.9.38 and 2.8.35). */
function readPieces(clx: Buffer): Piece[] {
  let at = 0;
  while (clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1);
  if (clx[at] !== 2) throw damaged();
  const table = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1));
  const count = Math.floor((table.length - 4) / 12);
  return Array.from({ length: count }, (_, n) => {
    const from = table.readUInt32LE(4 * n);
    const to = table.readUInt32LE(4 * n + 4);
    const fc = table.readUInt32LE(4 * (count + 1) + 8 * n + 2);
    const isCompressed = (fc & 0x40000000) !== 0;
    const offset = isCompressed ? (fc & 0x3fffffff) >>> 1 : fc & 0x3fffffff;
    if (to < from) throw damaged();
    return { from, to, offset, bytesPerChar: isCompressed ? 1 : 2 };
  });
}

// --- Properties of paragraphs ---

const PARAGRAPH_IN_TABLE = 0x2416;
const ROW_END = 0x2417;
const LIST_LEVEL = 0x260a;
const LIST_ID = 0x460b;
const TABLE_DEFINITION = 0xd608;
const CHANGED_TABS = 0xc615;
/** A list id that removes the paragraph from the list of its style (section 2.6.2). */
const NO_LISTS = new Set([0, 0xf801]);

/** The bytes of the operand of a property (section 2.2.5.1). */
function operandSize(bytes: Buffer, at: number, sprm: number): number {
  switch (sprm >>> 13) {
    case 0:
    case 1:
      return 1;
    case 2:
    case 4:
    case 5:
      return 2;
    case 3:
      return 4;
    case 7:
      return 3;
    default:
      if (sprm === TABLE_DEFINITION) return bytes.readUInt16LE(at) + 1;
      // The length 255 means that it must be computed; no property after it is needed.
      return sprm === CHANGED_TABS && bytes[at] === 255 ? bytes.length : 1 + bytes.readUInt8(at);
  }
}

function readProperties(bytes: Buffer): ParagraphProperties {
  if (bytes.length < 2) return NORMAL;
  let properties: ParagraphProperties = { ...NORMAL, style: bytes.readUInt16LE(0) };
  let at = 2;
  while (at + 2 < bytes.length) {
    const sprm = bytes.readUInt16LE(at);
    at += 2;
    const size = operandSize(bytes, at, sprm);
    if (at + size > bytes.length) break;
    if (sprm === PARAGRAPH_IN_TABLE) properties = { ...properties, isInTable: bytes[at] === 1 };
    else if (sprm === ROW_END) properties = { ...properties, endsRow: bytes[at] === 1 };
    else if (sprm === LIST_LEVEL) properties = { ...properties, listLevel: bytes.readUInt8(at) };
    else if (sprm === LIST_ID) properties = { ...properties, isListItem: !NO_LISTS.has(bytes.readUInt16LE(at)) };
    at += size;
  }
  return properties;
}

/** Reads a page of paragraph properties (PapxFkp, section 2.9.175). */
function readPage(page: Buffer): ParagraphRange[] {
  const count = page.readUInt8(PAGE - 1);
  return Array.from({ length: count }, (_, n) => {
    const start = 2 * page.readUInt8(4 * (count + 1) + 13 * n);
    const words = page.readUInt8(start);
    const [from, length] = words === 0 ? [start + 2, 2 * page.readUInt8(start + 1)] : [start + 1, 2 * words - 1];
    const properties = start === 0 ? NORMAL : readProperties(page.subarray(from, from + length));
    return { from: page.readUInt32LE(4 * n), to: page.readUInt32LE(4 * n + 4), properties };
  });
}

/** Reads the properties of all paragraphs, ordered by offset (PlcBtePapx, section 2.8.6). */
function readParagraphs(document: Buffer, table: Buffer): ParagraphRange[] {
  const count = Math.floor((table.length - 4) / 8);
  const ranges = Array.from({ length: Math.max(0, count) }, (_, n) => {
    const at = PAGE * table.readUInt32LE(4 * (count + 1) + 4 * n);
    return at + PAGE > document.length ? [] : readPage(document.subarray(at, at + PAGE));
  });
  return ranges.flat().sort((left, right) => left.from - right.from);
}

function findParagraph(ranges: readonly ParagraphRange[], offset: number): ParagraphProperties {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.from ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const found = ranges[low - 1];
  return found !== undefined && offset < found.to ? found.properties : NORMAL;
}

// --- The file ---

/** A paragraph with its raw text, in which control characters have a meaning. */
export interface RawParagraph {
  readonly text: string;
  /** The character that ends it: a paragraph mark, or a cell mark. */
  readonly mark: string;
  readonly properties: ParagraphProperties;
}

const MARKS = new Set(['\r', '\u0007', '\f']);

/** Yields the paragraphs of a range of characters. */
function* paragraphsOf(
  document: Buffer,
  pieces: readonly Piece[],
  ranges: readonly ParagraphRange[],
  [from, to]: readonly [number, number],
): Generator<RawParagraph> {
  let text = '';
  for (const piece of pieces) {
    const start = Math.max(piece.from, from);
    const end = Math.min(piece.to, to);
    if (start >= end) continue;
    const { bytesPerChar } = piece;
    const offset = piece.offset + (start - piece.from) * bytesPerChar;
    const bytes = document.subarray(offset, offset + (end - start) * bytesPerChar);
    if (bytes.length < (end - start) * bytesPerChar) throw damaged();
    const decoded = bytesPerChar === 1 ? new TextDecoder('windows-1252').decode(bytes) : bytes.toString('utf16le');
    let done = 0;
    for (let index = 0; index < decoded.length; index += 1) {
      const mark = decoded.charAt(index);
      if (!MARKS.has(mark)) continue;
      const properties = findParagraph(ranges, offset + index * bytesPerChar);
      yield { text: text + decoded.slice(done, index), mark, properties };
      text = '';
      done = index + 1;
    }
    text += decoded.slice(done);
  }
  if (text !== '') yield { text, mark: '\r', properties: NORMAL };
}

/** The paragraphs of the parts of a document. */
export interface WordFile {
  readonly main: Iterable<RawParagraph>;
  /** Footnotes, endnotes and text boxes. Headers, footers and comments are left out, as for .docx. */
  readonly notes: Iterable<RawParagraph>;
}

function readParts(document: Buffer): Parts {
  const length = (index: number) => document.readUInt32LE(64 + 4 * index);
  return {
    ...{ main: length(3), footnotes: length(4), headers: length(5) },
    ...{ comments: length(7), endnotes: length(8), textBoxes: length(9) },
  };
}

/** Opens the text of a Word document (section 2.4.1). Throws ParseError. */
export function openWordFile(file: CompoundFile): WordFile {
  const document = file.require('WordDocument');
  const flags = document.readUInt16LE(10);
  if ((flags & 0x0100) !== 0) {
    throw new ParseError(
      'encrypted',
      'This Word document is protected by a password. Remove the password and upload the file again.',
    );
  }
  if (document.readUInt16LE(0) !== 0xa5ec || document.readUInt16LE(2) < WORD_97) {
    throw new ParseError(
      'unsupported_format',
      'This is a document of Word 95 or earlier, which is not supported. Save it as .docx and upload that.',
    );
  }
  const table = file.require((flags & 0x0200) === 0 ? '0Table' : '1Table');
  /** A structure in the table stream, by its index in FibRgFcLcb97 (section 2.5.6). */
  const structure = (index: number) => {
    const at = 154 + 8 * index;
    const start = document.readUInt32LE(at);
    return table.subarray(start, start + document.readUInt32LE(at + 4));
  };
  const pieces = readPieces(structure(33));
  const ranges = readParagraphs(document, structure(13));
  // Overlapping pieces would multiply the text.
  if ((pieces.at(-1)?.to ?? 0) > document.length) throw damaged();
  const { main, footnotes, headers, comments, endnotes, textBoxes } = readParts(document);
  const afterFootnotes = main + footnotes;
  const afterComments = afterFootnotes + headers + comments;
  return {
    main: paragraphsOf(document, pieces, ranges, [0, main]),
    notes: (function* () {
      yield* paragraphsOf(document, pieces, ranges, [main, afterFootnotes]);
      yield* paragraphsOf(document, pieces, ranges, [afterComments, afterComments + endnotes + textBoxes]);
    })(),
  };
}
