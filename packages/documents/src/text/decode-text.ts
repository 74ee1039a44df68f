import { detect } from 'chardet';

/** Text and the charset it was read in. */
export interface DecodedText {
  readonly text: string;
  readonly charset: string;
}

/** How much of a file the guesses look at. */
const sampleBytes = 64 * 1024;

const decodeAs = (bytes: Uint8Array, charset: string): DecodedText | undefined => {
  try {
    return { text: new TextDecoder(charset).decode(bytes), charset };
  } catch {
    return undefined; // a label that this runtime does not know
  }
};

const byteOrderMark = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
};

const asUtf8 = (bytes: Uint8Array): DecodedText | undefined => {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), charset: 'utf-8' };
  } catch {
    return undefined;
  }
};

/**
 * UTF-16 without a mark: zero bytes stand almost only on one side of the pairs. Text in UTF-16 that has no zero bytes at
 * all (Chinese without a blank) is left to chardet.
 */
export const utf16WithoutMark = (bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined => {
  const end = Math.min(bytes.length, sampleBytes) & ~1;
  if (end < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < end; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  const pairs = end / 2;
  if (odd > pairs * 0.3 && even < pairs * 0.02) return 'utf-16le';
  if (even > pairs * 0.3 && odd < pairs * 0.02) return 'utf-16be';
  return undefined;
};

/**
 * Reads bytes as text. In this order: a byte order mark; a charset that the file declares (`declared`, an HTML meta tag
 * or a MIME header) unless the bytes are valid UTF-8; UTF-8 that decodes without a fault; UTF-16 by its zero bytes;
 * chardet's guess; windows-1252, which reads anything.
 */
export const decodeText = (bytes: Uint8Array, declared?: string): DecodedText => {
  const mark = byteOrderMark(bytes);
  if (mark) return decodeAs(bytes, mark) ?? { text: '', charset: mark };
  const wide = utf16WithoutMark(bytes);
  if (wide) return { text: new TextDecoder(wide).decode(bytes), charset: wide };
  const utf8 = asUtf8(bytes);
  if (utf8) return utf8;
  if (declared && !/^utf-?8$/i.test(declared)) {
    const asDeclared = decodeAs(bytes, declared.toLowerCase());
    if (asDeclared) return asDeclared;
  }
  const guess = detect(bytes.subarray(0, sampleBytes))?.toLowerCase();
  // A cut or damaged UTF-8 file fails the fatal decoder; chardet still knows it.
  const decoded =
    guess && guess !== 'ascii' ? decodeAs(bytes, guess === 'iso-8859-1' ? 'windows-1252' : guess) : undefined;
  return decoded ?? { text: new TextDecoder('windows-1252').decode(bytes), charset: 'windows-1252' };
};
