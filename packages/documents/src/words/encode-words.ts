import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { maxWordsPerPage } from '#ocr/recognized-page';
import { boxUnits, type PlacedWord } from '#words/page-words';

// A word is six small numbers: most words follow the one before them on the same line. All first
// numbers come first, then all second ones, and so on, which compresses better.

const fields = 6;
/** A 32-bit number has at most this many bytes. */
const maxNumberBytes = 5;

const zigzag = (value: number): number => (value < 0 ? -value * 2 - 1 : value * 2);
const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

/** Encodes the words of a page, ordered by their offsets, relative to the start of the page's text. */
export const encodeWords = (words: readonly PlacedWord[], pageStart: number): Uint8Array => {
  const count = words.length;
  const columns = new Int32Array(count * fields);
  let [end, left, top, height] = [pageStart, 0, 0, 0];
  let row = 0;
  for (const { start, end: wordEnd, box } of words) {
    columns[row] = start - end;
    columns[count + row] = wordEnd - start;
    columns[count * 2 + row] = box[0] - left;
    columns[count * 3 + row] = box[1] - top;
    columns[count * 4 + row] = box[2] - box[0];
    columns[count * 5 + row] = box[3] - box[1] - height;
    row++;
    end = wordEnd;
    left = box[2];
    top = box[1];
    height = box[3] - box[1];
  }
  const bytes = new Uint8Array(columns.length * maxNumberBytes);
  let length = 0;
  for (const value of columns) {
    let rest = zigzag(value);
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[length++] = (rest % 128) + 128;
    bytes[length++] = rest;
  }
  return deflateRawSync(bytes.subarray(0, length), { memLevel: 5 });
};

/** Decodes what encodeWords returned. @throws RangeError if it did not */
export const decodeWords = (encoded: Uint8Array, pageStart: number): PlacedWord[] => {
  const bytes = inflateRawSync(encoded, { maxOutputLength: maxWordsPerPage * fields * maxNumberBytes });
  const values: number[] = [];
  let [value, factor] = [0, 1];
  for (const byte of bytes) {
    value += (byte % 128) * factor;
    factor *= 128;
    if (factor > 128 ** maxNumberBytes) throw invalid();
    if (byte >= 128) continue;
    values.push(unzigzag(value));
    [value, factor] = [0, 1];
  }
  const count = values.length / fields;
  if (!Number.isInteger(count) || factor !== 1) throw invalid();
  const words: PlacedWord[] = [];
  let [end, left, top, height] = [pageStart, 0, 0, 0];
  for (let index = 0; index < count; index++) {
    const at = (field: number): number => values[field * count + index] ?? 0;
    const start = end + at(0);
    end = start + at(1);
    left += at(2);
    top += at(3);
    height += at(5);
    const box = [left, top, left + at(4), top + height] as const;
    if (start < pageStart || end < start || box.some((edge) => edge < 0 || edge > boxUnits)) throw invalid();
    words.push({ start, end, box });
    left = box[2];
  }
  return words;
};

const invalid = (): RangeError => new RangeError('The words of a page are not encoded correctly.');
