import { detect } from 'chardet';

/** Text and its charset. */
export interface DecodedText {
  readonly text: string;
  readonly charset: string;
}

/** Detection reads this much of a file. */
const sampleBytes = 64 * 1024;

const decodeAs = (bytes: Uint8Array, charset: string): DecodedText | undefined => {
  try {
    return { text: new TextDecoder(charset).decode(bytes), charset };
  } catch {
    return undefined; // an unknown charset label
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
 * Detects UTF-16 without a byte order mark: zero bytes are almost only on one side of each pair.
 * UTF-16 without any zero bytes (Chinese without spaces) is left to chardet.
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
 * Decodes bytes as text. The charset is, in this order: from a byte order mark; UTF-16 by its zero
 * bytes; UTF-8 if the bytes are valid; `declared` (an HTML meta tag or a MIME header); chardet's
 * guess; windows-1252, which accepts any bytes.
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
  // The fatal decoder rejects truncated or damaged UTF-8, but chardet still detects it.
  const decoded =
    guess && guess !== 'ascii' ? decodeAs(bytes, guess === 'iso-8859-1' ? 'windows-1252' : guess) : undefined;
  return decoded ?? { text: new TextDecoder('windows-1252').decode(bytes), charset: 'windows-1252' };
};
