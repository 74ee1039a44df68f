/** The size of a header, and of the blocks of a tar archive. */
export const tarBlock = 512;

const checksumAt = 148;
const checksumBytes = 8;
const space = 0x20;

/** Returns the number at a place of a header: octal digits, or the bytes of a large number. Otherwise -1. */
export const tarNumber = (header: Uint8Array, at: number, length: number): number => {
  const field = header.subarray(at, at + length);
  if (((field[0] ?? 0) & 0x80) !== 0)
    return field.subarray(1).reduce((value, byte) => value * 256 + byte, (field[0] ?? 0) & 0x7f);
  const [, digits] = /^[ \0]*([0-7]*)[ \0]*/.exec(Buffer.from(field).toString('latin1')) ?? [];
  return digits === undefined || digits === '' ? -1 : Number.parseInt(digits, 8);
};

/** Returns true if bytes begin with the header of a file in a tar archive. Old ones have no mark, but a sum of their bytes. */
export const hasTarHeader = (bytes: Uint8Array): boolean => {
  if (bytes.length < tarBlock || bytes[0] === 0) return false;
  let [sum, signedSum] = [0, 0];
  for (let at = 0; at < tarBlock; at++) {
    const isSum = at >= checksumAt && at < checksumAt + checksumBytes;
    const byte = isSum ? space : (bytes[at] ?? 0);
    sum += byte;
    signedSum += (byte << 24) >> 24;
  }
  const declared = tarNumber(bytes, checksumAt, checksumBytes);
  return declared === sum || declared === signedSum;
};
