import { crc32, deflateSync } from 'node:zlib';

const bitsPerLevel = 8;

/** Returns a chunk of a PNG. */
export const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const result = Buffer.alloc(named.length + 8);
  result.writeUInt32BE(data.length, 0);
  result.set(named, 4);
  result.writeUInt32BE(crc32(named), named.length + 4);
  return result;
};

/**
 * Returns a gray PNG with this size in its header.
 * @param rows for each row of the image the number of its filter and its levels
 * @param more further chunks before the data
 */
export const pngOf = (width: number, height: number, rows: Uint8Array, more: readonly Buffer[] = []): Uint8Array => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bitsPerLevel;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...more,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', new Uint8Array()),
  ]);
};

/** Encodes a gray image as a PNG. `levels` has one byte per pixel, row by row. */
export const grayPng = (width: number, height: number, levels: Uint8Array, more?: readonly Buffer[]): Uint8Array => {
  // Filter 0 is none.
  const rows = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(levels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return pngOf(width, height, rows, more);
};
